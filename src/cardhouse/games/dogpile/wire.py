"""The types that the page needs of Dogpile."""

from cardhouse.games.dogpile.view import DogpileView

TOLD = (DogpileView,)
