"""A table that can be set up without a camera: the shipped fake of `SetupPort`."""

from __future__ import annotations

from webui.ports import Answer
from webui.setup.port import Corners, SelfTest, Sight


class FakeSetup:
    """A `SetupPort` that shows `sight` and learns as `outcome` says; `learned_from` and `kept` tell what was done."""

    given = ""

    def __init__(self, sight: Sight | None = None, outcome: SelfTest | None = None, *, needed: bool = True) -> None:
        self.needed = needed
        self.outcome = outcome or SelfTest(right=30)
        self.camera: Sight | None = sight
        self.learned_from: list[Corners] = []
        self.kept: list[str] = []
        self.learned = False
        self._sight: Sight | None = None
        self._tested: SelfTest | None = None

    def look(self) -> Sight | None:
        """The picture it was given."""
        self._sight, self._tested = self.camera, None
        return self._sight

    def sight(self) -> Sight | None:
        """The same, once it was looked at."""
        return self._sight

    def learn(self, corners: Corners) -> SelfTest:
        """As it was told to."""
        self.learned_from.append(corners)
        self._tested = self.outcome
        return self.outcome

    def tested(self) -> SelfTest | None:
        """What came of the last `learn`."""
        return self._tested

    def keep(self, home: str) -> Answer:
        """Done, where something was learned."""
        if self._tested is None or self._tested.refused:
            return Answer(False, "nothing was learned")
        self.kept.append(home)
        self.learned = True
        return Answer(True)

    def forget(self) -> Answer:
        """Done."""
        self.learned = False
        return Answer(True)
