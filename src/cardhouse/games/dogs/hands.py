"""What is drawn into a hand: Stats, things, lines of a Fast NPC, Demonic Influence (DV-6 to DV-12, DV-31 to DV-35)."""

from __future__ import annotations

from typing import Any

from cardhouse.engine import Rules
from cardhouse.games.dogs.drawing import Drawing
from cardhouse.games.dogs.fast import DEMONIC_DRAWS, FAST, Draws
from cardhouse.games.dogs.sheet import Character, Thing
from cardhouse.games.dogs.state import DEMONIC, Participant, stats_of


class Hands(Drawing):
    """How the hands of a conflict fill."""

    def draw_into(self, one: Participant, number: int, rule: str, key: str, **about: Any) -> Rules[None]:
        """So many cards, as they come."""
        drawn = yield from self.draw_cards(number, self.controller(one))
        one.hand += drawn
        if drawn:
            self.tell_hand(one, rule, key, "draws_hidden", len(drawn), cards=drawn, **about)
        else:
            self.tell(rule, "draws_nothing", name=one.name)

    def draw_for(self, one: Participant, draws: Draws | Thing, rule: str, thing: str = "") -> Rules[None]:
        """The cards of a `thing`, or of a mark alone: shown as drawn, then what is kept (DV-6, DV-7)."""
        drawn, kept = yield from self.draw_kept(draws.kind, significant=draws.significant, who=self.controller(one))
        one.hand += kept
        about = {"thing": thing or draws.mark, "drawn": drawn, "cards": kept}
        if drawn:
            self.tell_hand(one, rule, "draws_for", "draws_hidden", len(kept), **about)
        else:
            self.tell(rule, "draws_nothing", name=one.name)

    def draw_arena(self, one: Participant, fewer: int = 0) -> Rules[None]:
        """An arena's Stats, each once a conflict, one card a point (DV-9, DV-12); the next line of a Fast NPC."""
        who = self.named(one.name)
        if who.fast is not None:
            yield from self.draw_line(one, who, fewer)
            return
        for stat in stats_of(one.arena):
            if stat not in one.stats_drawn:
                one.stats_drawn.append(stat)
                spared = min(fewer, who.stats.of(stat))
                fewer -= spared
                yield from self.draw_into(one, who.stats.of(stat) - spared, "DV-9", "draws_stat", stat=stat)

    def draw_line(self, one: Participant, who: Character, fewer: int) -> Rules[None]:
        """A Fast NPC's next line, whatever the arena (DV-34); with the first, or each, a card a member (DV-35)."""
        lines = FAST[who.fast] if who.fast is not None else ()
        if one.lines == len(lines):
            self.tell("DV-34", "no_line_left", name=one.name)
            return
        line, one.lines = lines[one.lines], one.lines + 1
        if line.cards:
            yield from self.draw_into(one, max(0, line.cards - fewer), "DV-34", "draws_line", line=one.lines)
        for draws in line.things:
            yield from self.draw_for(one, draws, "DV-34")
        if who.members and (one.lines == 1 or self.options.group_cards == "each_line"):
            yield from self.draw_into(one, who.members, "DV-35", "draws_members")

    def draw_demonic(self, one: Participant) -> Rules[None]:
        """Demonic Influence strengthens a side, once a conflict (DV-31)."""
        assert self.contested.demonic is not None
        self.contested.demonic_drawn = True
        line = DEMONIC_DRAWS[self.contested.demonic.dice]
        for draws in line.things:
            yield from self.draw_for(one, draws, "DV-31", DEMONIC)
        if line.cards:
            yield from self.draw_into(one, line.cards, "DV-31", "draws_more")
