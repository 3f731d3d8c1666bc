"""What the page is told of Dogpile."""

from cardhouse.games.dogpile.view import DogpileView

TOLD = (DogpileView,)
