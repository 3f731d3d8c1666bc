"""Showdown's part of `cardhouse print`."""

from typing import Annotated

import typer

from cardhouse.cli.options import Paper


def print_showdown(
    paper: Paper = "a4",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="What to call the PDF; - for standard output.")
    ] = "showdown.pdf",
) -> None:
    """Print the order sheet: a line for each character, and the rules of cards, jokers, holding and cutting in.

    cardhouse print showdown
    cardhouse print showdown --paper letter -o order.pdf
    """
    from cardhouse.cli.printing import write_pdf
    from cardhouse.print.pen import PAPERS
    from showdown.sheet import order_pdf

    write_pdf(order_pdf(PAPERS[paper]), output, [])
