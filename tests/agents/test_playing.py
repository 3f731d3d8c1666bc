"""Scenes for agents: the rules accept every open action, nothing hidden is seen, every game is a transcript."""

from __future__ import annotations

import pickle
from itertools import combinations, islice
from random import Random

import msgspec
import pytest

from cardhouse.agents.playing import DieFace, Playing
from cardhouse.agents.scene import make_scene
from cardhouse.cards import Placed
from cardhouse.engine import SCREEN, CardhouseError, SeededDealer, Seen, Table
from cardhouse.games.dogpile.agent import DogpileScene
from cardhouse.games.dogpile.rules import Dogpile
from cardhouse.games.dogpile.state import Lay
from cardhouse.games.dogs.actions import See
from cardhouse.games.dogs.agent import DogsScene
from cardhouse.games.dogs.rules import Dogs
from cardhouse.games.gunfight.agent import GunfightScene
from cardhouse.games.hackjack.agent import HackjackScene
from cardhouse.games.initiative.agent import InitiativeScene
from tests.agents.playing import SCENES, choose, dealt, is_taken, piece, random_game, without_giving

each_scene = pytest.mark.parametrize("name", SCENES)


# What is open.


@each_scene
def test_open_actions_are_those_the_rules_accept(name: str):
    """Each number that makes an answer by itself is open if the table takes that, and else not."""
    scene = SCENES[name]
    for seed in range(2):
        rng = Random(seed)
        asked = (one for one in random_game(scene, seed, paper=True) if one.seat and not one.picked)
        for playing in islice(asked, 30):
            assert playing.seat is not None
            assert playing.open == sorted(set(playing.open))
            for number in {*rng.sample(range(len(scene.words)), min(12, len(scene.words))), *playing.open[-8:]}:
                answer = scene.answer(playing.table, playing.seat, (number,))
                if answer is not None and scene.words[number] != "see":
                    plain = not scene.words[number].startswith("see, and")
                    assert (number in playing.open) == (plain and is_taken(playing, answer)), scene.words[number]


@each_scene
def test_actions_not_open_are_refused_and_change_nothing(name: str):
    scene = SCENES[name]
    for playing in random_game(scene, 5):
        before = playing.transcript(), playing.picked, list(playing.open)
        for number in {0, 1, len(scene.words) - 1, -1, len(scene.words)} - set(playing.open):
            with pytest.raises(CardhouseError, match=r"^[A-Z0-9-].*\.$"):
                playing.choose(number)
        assert (playing.transcript(), playing.picked, playing.open) == before


def test_every_card_can_be_laid_wherever_the_rules_let_it():
    """Of Dogpile, each further card too, and none but those of the hand."""
    for name in ("dogpile", "dogpile, three, touching"):
        scene = SCENES[name]
        assert isinstance(scene, DogpileScene)
        for playing in islice((one for one in random_game(scene, 3, paper=True) if one.seat), 6):
            assert playing.seat is not None
            assert isinstance(playing.table.game, Dogpile)
            laid = [scene.placed(number) for number in playing.picked]
            allowed = {
                f"{card} at {x},{y}"
                for card in playing.table.game.hands[playing.seat]
                for x, y in scene.cells
                if is_taken(playing, Lay([*laid, Placed(card, x, y)]))
            }
            assert {scene.words[number] for number in playing.open} == {*allowed, "done"}


def test_every_see_has_one_number():
    """Of Dogs: the sets of cards that can be picked are those with which the rules let one See."""
    scene, met = SCENES["dogs, hidden"], 0
    for seed in range(6):
        for playing in random_game(scene, seed, paper=True):
            if playing.seat is None or playing.picked or playing.table.asks()["key"] != "see":
                continue
            assert isinstance(playing.table.game, Dogs)
            hand = playing.table.game.contested.named(playing.seat).hand
            if len(hand) <= 5:
                sets = [set(some) for n in range(1, len(hand) + 1) for some in combinations(hand, n)]
                right = [cards for cards in sets if is_taken(playing, See(playing.seat, sorted(cards)))]
                said = ways_to_see(playing)
                assert len(said) == len(right)
                assert all(cards in said for cards in right)
                met += len(right)
    assert met > 100


def ways_to_see(playing: Playing) -> list[set[str]]:
    """All sets of cards that can be picked and said; each time, one that only blocks is open if it could reverse."""
    scene, found = playing.scene, []
    for number in playing.open:
        word = scene.words[number]
        cards = {scene.words[picked] for picked in playing.picked}
        if word == "see":
            found.append(cards)
            reverses = len(cards) == 1 and is_taken(playing, See(playing.seat or "", list(cards), reverse=True))
            assert (number + 1 in playing.open) == reverses
        elif word[0] in "CDHS" and word[1] in "A234567891JQK":
            further = playing.copy()
            further.choose(number)
            found += ways_to_see(further)
    return found


# What is seen.


@each_scene
def test_observations_fit_the_layout_and_use_only_the_seats_data(name: str):
    scene = SCENES[name]
    most = scene.layout.most()
    for playing in random_game(scene, 1):
        for seat in scene.players:
            row = playing.observation(seat)
            assert len(row) == scene.layout.size
            assert all(0 <= number <= top for number, top in zip(row, most, strict=True))
            sent = msgspec.json.decode(msgspec.json.encode(playing.table.seen(seat)), type=Seen)
            picked = playing.picked if seat == playing.seat else ()
            assert scene.observe(sent, picked).row == row


def same_to(seat: str, one: Playing, other: Playing) -> bool:
    """Whether a seat can't tell two games apart."""
    assert (one.seat, len(one.memory[seat])) == (other.seat, len(other.memory[seat]))
    mine = one.open == other.open if one.seat == seat else True
    return mine and one.observation(seat) == other.observation(seat) and one.memory[seat] == other.memory[seat]


def test_others_hands_and_cards_face_down_are_not_seen():
    """Of Dogpile: two games in which the other has other cards, and lays them on the same cells."""
    scene = DogpileScene(rounds=1, hand_size=2)
    one = dealt(scene, ["C2", "C3", "H8", "S9", "D5"])
    other = dealt(scene, ["C2", "C3", "DK", "BJ", "D5"])
    assert same_to("player_0", one, other)
    assert not same_to("player_1", one, other)
    for game in (one, other):
        choose(game, "C2 at 0,1", "done")
        assert sum(piece(game, "player_1", "faces")) == 1  # the Pack Leader's
    assert same_to("player_0", one, other)
    choose(one, "H8 at 1,0")
    choose(other, "DK at 1,0")
    assert same_to("player_0", one, other)  # what another has picked is not seen before it is said
    choose(one, "done")
    choose(other, "done")
    assert not same_to("player_0", one, other)  # all is revealed


def test_hidden_hands_are_not_seen():
    """Of Dogs, if the table plays so; else they lie open."""
    drawn = {
        hidden: [
            dealt(DogsScene("1 1 1 1", "", hidden_hands=hidden), ["S7", "H2", *theirs])
            for theirs in (["D9", "CK"], ["DA", "C4"])
        ]
        for hidden in (True, False)
    }
    assert same_to("player_0", *drawn[True])
    assert not same_to("player_1", *drawn[True])
    assert not same_to("player_0", *drawn[False])
    for game in drawn[True]:
        choose(game, "S7")
    assert same_to("player_0", *drawn[True])


def test_an_unseen_next_card_is_not_known():
    """Of Hackjack: the ace of hearts shows the next card to the one who drew it."""
    scene = HackjackScene()
    games = []
    for card in ("SK", "D2"):
        game = dealt(scene, [])
        choose(game, "fight on", "fight on")
        for drawn in ("C2", "HA", card):
            game.name_card(drawn)
        games.append(game)
    assert same_to("player_0", *games)
    assert not same_to("player_1", *games)
    assert [sum(piece(games[0], seat, "next")) for seat in scene.players] == [0, 1]


def test_observations_match_the_table():
    """A few numbers looked up by hand."""
    game = dealt(DogpileScene(rounds=1, hand_size=2), ["C2", "C3", "H8", "S9", "D5"])
    cards = DogpileScene().cards
    assert [cards[n] for n, has in enumerate(piece(game, "player_0", "hand")) if has] == ["C2", "C3"]
    choose(game, "C2 at 0,1")
    assert piece(game, "player_0", "hands") == [1, 2]
    rows = [piece(game, "player_0", "laid")[n : n + 5] for n in range(0, 25, 5)]
    assert rows == [[0] * 5, [0, 0, 1, 0, 0], [0] * 5, [0] * 5, [0] * 5]
    duel = dealt(DogsScene("1 1 1 1", ""), ["S7", "H2", "D9", "CK"])
    choose(duel, "S7")
    assert piece(duel, "player_1", "raised_worth") == [7]
    assert (piece(duel, "player_0", "sees"), piece(duel, "player_1", "sees")) == ([0], [1])


# Whole games.


@each_scene
def test_a_game_is_a_transcript(name: str):
    """Played by numbers, it replays through the rules to the same end, whoever names the cards."""
    for seed in range(3):
        for paper in (False, True):
            *_, playing = random_game(SCENES[name], seed, paper=paper)
            again = Table.read(playing.transcript().splitlines())
            assert again.transcript() == playing.transcript()
            for seat in (*playing.table.seats, SCREEN):
                assert again.view(seat) == playing.table.view(seat)


@each_scene
def test_copies_and_pickled_games_go_on_the_same(name: str):
    for paper in (False, True):
        copies: list[Playing] = []
        for step, playing in enumerate(random_game(SCENES[name], 2, paper=paper)):
            for copy in copies:
                go_on(copy, playing.moves[-1])
                assert (copy.open, copy.seat, copy.picked) == (playing.open, playing.seat, playing.picked)
            if step % 12 == 4:
                copies = [playing.copy(), pickle.loads(pickle.dumps(playing))]
                assert all(state_of(copy) == state_of(playing) for copy in copies)
        assert copies
        assert all(state_of(copy) == state_of(playing) for copy in copies)


def go_on(playing: Playing, said: int | str | DieFace) -> None:
    """Choose a number, or name a card; no dice are rolled in our scenes."""
    assert not isinstance(said, DieFace)
    if isinstance(said, str):
        playing.name_card(said)
    else:
        playing.choose(said)


def state_of(playing: Playing) -> list[object]:
    """All there is to a game."""
    seen = [playing.observation(seat) for seat in playing.scene.players]
    return [playing.transcript(), playing.picked, playing.open, playing.seat, playing.scores, playing.memory, seen]


def test_dogs_that_join_are_points_for_all():
    game = dealt(DogpileScene(rounds=2, hand_size=2), ["C2", "C3", "H8", "S9", "C4"])
    choose(game, "C3 at 0,1", "done")
    assert set(game.scores.values()) == {0.0}
    choose(game, "done")
    assert game.scores == {"player_0": 2.0, "player_1": 2.0}


def test_the_stakes_are_won_and_lost():
    game = dealt(DogsScene("1 1 1 1", "", improvised=0), ["S7", "H2", "D9", "CK"])
    choose(game, "S7", "give")
    assert game.is_over
    assert game.scores == {"player_0": 1.0, "player_1": -1.0}


def test_rounds_lived_through_count_by_what_one_did():
    game = dealt(HackjackScene(rounds=2), [])
    choose(game, "prevent blood loss", "fight on")
    game.name_card("C2")
    game.name_card("C3")
    assert game.scores["player_0"] == 0.5
    assert game.scores["player_1"] in (0.5, 1.0)  # it may be in no state to act


def test_the_first_to_act_gets_most():
    game = dealt(InitiativeScene(tiers="leader leader"), [])
    game.name_card("CQ")
    choose(game, "act")
    assert game.scores == {"player_0": 1.0, "player_1": 0.0}
    game.name_card("DK")
    choose(game, "wait")
    for card in ("BJ", "DQ", "CK"):  # the joker burns the queen, and of equals the new one must act
        game.name_card(card)
    assert game.scores == {"player_0": 1.75, "player_1": 0.0}
    for card in ("RJ", "DK"):
        game.name_card(card)
    assert game.scores == {"player_0": 1.75, "player_1": 0.5}


def test_the_tables_bots_play_by_numbers():
    """What they say has numbers, and these say the same."""
    for name, bot in (("dogs", "bold"), ("dogs", "plain"), ("far", "sure")):
        scene = DogpileScene(rounds=2, reach=6) if name == "far" else SCENES[name]
        rng = Random(1)
        playing = Playing(scene, SeededDealer(1))
        while not playing.is_over:
            for number in playing.numbers_of(bot, rng):
                playing.choose(number)
        assert playing.log


def test_bots_that_cannot_be_asked():
    playing = Playing(SCENES["dogs"], SeededDealer(1))
    with pytest.raises(CardhouseError, match=r'no bot "clever" for dogs\. Available: plain, bold'):
        playing.numbers_of("clever", Random(1))
    with pytest.raises(CardhouseError, match="Available: prompt"):
        Playing(SCENES["initiative"], SeededDealer(1)).numbers_of("clever", Random(1))
    near = DogpileScene(reach=1)
    with pytest.raises(CardhouseError, match="farther out than the reach 1"):
        near.numbers(Playing(near).table.seen("player_0"), {"do": "lay", "cards": [{"card": "C2", "x": 2, "y": 0}]})


@pytest.mark.parametrize(
    ("kind", "parameters", "said"),
    [
        (DogpileScene, {"players": 9}, "players must be a whole number from 1 to 8, not 9"),
        (DogpileScene, {"reach": 0}, "reach must be a whole number from 1 to 6, not 0"),
        (DogpileScene, {"hand_size": 10, "players": 8}, "this deck has 54"),
        (DogpileScene, {"hands": 3}, "dogpile has no parameter hands. Available: players, rounds"),
        (DogpileScene, {"touching": 1}, "touching must be true or false, not 1"),
        (DogpileScene, {"jokers": 3}, "options: "),
        (DogsScene, {"stats": "9 9 9 9"}, "stats add up to 36, and 9 is the most"),
        (DogsScene, {"stats": "1 1 1"}, "stats are four whole numbers, acuity body heart will, not 1 1 1"),
        (DogsScene, {"things": "o ++"}, r"things are marks, -, -\*, o.* \+\+ is none"),
        (DogsScene, {"things": "o/o/o"}, "things are those of two players"),
        (DogsScene, {"arena": "shouting"}, "arena can't be shouting here; it may be talking"),
        (GunfightScene, {"players": 1}, "two players at least"),
        (GunfightScene, {"tiers": ""}, "tiers are empty"),
        (HackjackScene, {"blood": 0}, "blood must be a whole number from 1 to 1000, not 0"),
        (HackjackScene, {"damage": "1d6"}, "damage must be a whole number, not 1d6"),
        (InitiativeScene, {"tiers": "elite legend"}, "tiers are some of elite, leader.* not elite legend"),
        (InitiativeScene, {"tiers": "elite elite"}, "elite"),
        (InitiativeScene, {"tiers": ""}, "two at least"),
    ],
)
def test_bad_parameters_are_refused_at_once(kind, parameters, said):
    with pytest.raises(CardhouseError, match=said):
        make_scene(kind, parameters)


def test_no_agent_moves_when_the_game_is_over():
    *_, playing = random_game(SCENES["dogs"], 0)
    with pytest.raises(CardhouseError, match="the game is over"):
        playing.choose(0)
    with pytest.raises(CardhouseError, match="No card is drawn now"):
        playing.name_card("C2")
    assert not without_giving(playing)


def test_a_shot_is_the_game_masters_to_say_and_a_death_costs_a_side():
    game = dealt(GunfightScene(hp=1, damage=30, tiers="leader"), [])
    game.name_card("CK")
    choose(game, "act")
    assert "shoot at opponent 1" in {game.scene.words[number] for number in game.open}
    choose(game, "shoot at opponent 1")
    assert game.is_over
    assert game.scores == {"player_0": 1.0, "player_1": -1.0}
    assert '{"by":"gm","do":"damage","target":"player_1 1","amount":30}' in game.transcript()


def test_a_shot_ends_the_turn():
    game = dealt(GunfightScene(hp=9, tiers="leader"), [])
    game.name_card("CK")
    choose(game, "act", "shoot at opponent 1")
    assert game.transcript().splitlines()[-1] == '{"by":"gm","do":"done","name":"player_0 1"}'
    assert piece(game, "player_1", "hp") == [7, 9]
    game.name_card("DK")
    choose(game, "act", "hold fire")
    assert game.transcript().splitlines()[-1] == '{"by":"player_1","do":"done","name":"player_1 1"}'
