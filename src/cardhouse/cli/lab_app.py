"""The commands of the lab: `cardhouse lab GAME QUESTION`."""

from typing import Annotated

import typer

lab_app = typer.Typer(invoke_without_command=True)
dogpile_app = typer.Typer(invoke_without_command=True)
dogs_app = typer.Typer(invoke_without_command=True)
lab_app.add_typer(dogpile_app, name="dogpile")
lab_app.add_typer(dogs_app, name="dogs")


@lab_app.callback()
def lab_(context: typer.Context) -> None:
    """Ask how the rules of a game really behave: whole games are played, and the numbers come with their error.

    cardhouse lab dogpile silence
    cardhouse lab dogs fallout
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


@dogpile_app.callback()
def dogpile_(context: typer.Context) -> None:
    """Ask how Dogpile behaves.

    cardhouse lab dogpile silence --players 4 --bots sure,bold
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


@dogpile_app.command()
def silence(
    players: Annotated[str, typer.Option(metavar="N", help="How many play: 4, or 2,4, or 1-8.")] = "4",
    bots: Annotated[
        str, typer.Option(metavar="NAMES", show_default="all of them", help="Which bots, each for all seats.")
    ] = "",
    jokers: Annotated[str, typer.Option(metavar="N", help="How many jokers: 2, or 0-2.")] = "2",
    hand_size: Annotated[int, typer.Option(metavar="N", min=1, max=10, help="Cards in a hand.")] = 5,
    rounds: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Rounds in a game.")] = 10,
    trials: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="Games of each kind.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Other games, of the same kinds.")] = 0,
    deck: Annotated[str, typer.Option(metavar="DECK", help="A deck file, or one that comes along: dogs.")] = "standard",
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
) -> None:
    """What can silence build? Dogs a round, and packs lost, when bots play whole games of Dogpile.

    Each number comes with its 95 % interval. Stopped with Ctrl-C, it tells of the games that were played.

    cardhouse lab dogpile silence --players 1-8 --jokers 0-2
    cardhouse lab dogpile silence --players 3 --bots sure,reader --deck dogs --trials 500
    """
    from cardhouse.cli import lab

    asked = lab.Asked(players, bots, jokers, hand_size, rounds, trials, seed, deck)
    lab.silence(asked, json=json)


@dogs_app.callback()
def dogs_(context: typer.Context) -> None:
    """Ask how Dogs Play Cards, Too behaves.

    cardhouse lab dogs fallout
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), nl=False)


@dogs_app.command()
def fallout(
    cards: Annotated[str, typer.Option(metavar="N", help="How many cards of fallout: 3, or 1-8.")] = "1-8",
    body: Annotated[str, typer.Option(metavar="N", help="Of somebody with how much Body: 2, or 0-4.")] = "0-4",
    decks: Annotated[int, typer.Option(metavar="N", min=1, max=2, help="Decks there are, all of them shuffled.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
) -> None:
    """What does fallout do? The exact odds of each severity, and of gaining experience, by arena and number of cards.

    They are those of a full deck, without the option that a jack draws a card. --json has them as fractions.

    cardhouse lab dogs fallout --cards 2-4 --body 1-3
    """
    from cardhouse.cli import lab_dogs

    lab_dogs.fallout(cards, body, decks, json=json)


@dogs_app.command()
def policies(
    cards: Annotated[str, typer.Option(metavar="N", help="Cards in each hand: 5, or 3,5, or 3-12.")] = "3,5,8,12,16",
    against: Annotated[
        str, typer.Option("--policies", metavar="NAMES", help="Which two play each other.")
    ] = "bold,plain",
    trials: Annotated[int, typer.Option(metavar="N", min=1, max=1_000_000, help="Deals of each kind.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Other deals, of the same kinds.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for programs.")] = False,
) -> None:
    """How well do the bots play? The share of conflicts that one policy wins against another, with as many cards.

    Each deal is played twice, so that both play either hand. Nobody has anything besides the hand. Each number comes
    with its 95 % interval. Stopped with Ctrl-C, it tells of the deals that were played.

    cardhouse lab dogs policies --policies bold,bold --cards 3-9
    """
    from cardhouse.cli import lab_dogs

    lab_dogs.policies(cards, against, trials, seed, json=json)
