"""Questions, answers, dealers, the log and the table; no game."""

from cardhouse.engine.bots import Bot, Seen
from cardhouse.engine.catalogue import Catalogue, Rule, Words, catalogue_of, fill
from cardhouse.engine.dealers import Dealer, FairDealer, ScriptedDealer, SeededDealer
from cardhouse.engine.errors import BadFile, BadGame, BadTranscript, CardhouseError, Mistake, Refused
from cardhouse.engine.fields import Field, Laying, OneOf, Several, Shape, Text, Whole, YesNo
from cardhouse.engine.game import SCREEN, Event, Game, Told
from cardhouse.engine.log import Entry
from cardhouse.engine.options import Options, options_of_all
from cardhouse.engine.questions import CLOCK, GM, Action, Ask, Draw, Meanwhile, Now, Offer, Over, Roll, Rules, Step
from cardhouse.engine.registry import find_game, game_names
from cardhouse.engine.roster import SheetField, read_roster, while_there_is_room, write_roster
from cardhouse.engine.runner import PHYSICAL, Snapshot
from cardhouse.engine.table import NeedsHistory, Table
from cardhouse.engine.together import TOGETHER, NeedsLinks
from cardhouse.engine.transcript import (
    Header,
    kind_of,
    read_header,
    read_lines,
    read_transcript,
    write_line,
    write_transcript,
)

__all__ = [
    "CLOCK",
    "GM",
    "PHYSICAL",
    "SCREEN",
    "TOGETHER",
    "Action",
    "Ask",
    "BadFile",
    "BadGame",
    "BadTranscript",
    "Bot",
    "CardhouseError",
    "Catalogue",
    "Dealer",
    "Draw",
    "Entry",
    "Event",
    "FairDealer",
    "Field",
    "Game",
    "Header",
    "Laying",
    "Meanwhile",
    "Mistake",
    "NeedsHistory",
    "NeedsLinks",
    "Now",
    "Offer",
    "OneOf",
    "Options",
    "Over",
    "Refused",
    "Roll",
    "Rule",
    "Rules",
    "ScriptedDealer",
    "SeededDealer",
    "Seen",
    "Several",
    "Shape",
    "SheetField",
    "Snapshot",
    "Step",
    "Table",
    "Text",
    "Told",
    "Whole",
    "Words",
    "YesNo",
    "catalogue_of",
    "fill",
    "find_game",
    "game_names",
    "kind_of",
    "options_of_all",
    "read_header",
    "read_lines",
    "read_roster",
    "read_transcript",
    "while_there_is_room",
    "write_line",
    "write_roster",
    "write_transcript",
]
