"""The composition root: builds the table from its parts and shows it on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.errors import GeometryError
from calibration.orientation import Home
from calibration.profile import TableProfile
from device.boardfinding import find_in, placed, words
from device.boardwatch import BoardWatch
from device.cameras.choose import SourceName, open_source
from device.cameras.light import Memory
from device.cameras.newest import Newest, Size
from device.cameras.sim import table_profile
from device.config import CameraSettings, PanelSettings
from device.errors import DeviceError, naming
from device.feed import Feed
from device.glimpse import Glimpse, Glimpsed
from device.matchfile import MatchFile
from device.panel import PanelThread, open_panel
from device.paths import journal_path
from device.port import Port
from device.server import serve
from device.sitting import Sitting, eyes_of, setup_of
from device.store.evidence import Evidence, Limits
from device.store.journal import Journal
from device.table import MatchRecord, TableThread, new_match_id
from device.vitals import Counted, Vitals, counted
from rules.match import MatchState
from rules.position import Player
from rules.referee import Referee
from vision.frame import Frame, FrameSource
from vision.settle import Settler
from vision.synth.table import Table
from webui.health import HealthPort
from webui.keys import Keys
from webui.ports import Answer, TablePort
from webui.setup.port import SetupPort


@dataclass(slots=True)
class Appliance:
    """Everything `schiri watch` needs; `open` builds it in the process that serves the pages.

    `pictures` says how many of the pictures that show events stay, and for how long, `camera` how a live camera is
    run, `panel` which lamps and buttons there are. `warn` is told in a sentence what keeps Schiri from watching;
    `learned` is used instead of `table` until it is thrown away; then `base`, what is known without it, counts again.
    `alive` hears all the time how the table is doing, while its loop runs.
    """

    source: SourceName
    table: TableProfile
    match: MatchFile
    data_dir: Path
    pictures: Limits = field(default_factory=Limits)
    camera: CameraSettings = field(default_factory=CameraSettings)
    panel: PanelSettings = field(default_factory=PanelSettings)
    warn: Callable[[str], object] = lambda _text: None
    alive: Callable[[str], object] = lambda _status: None
    vitals: Vitals = field(default_factory=Vitals)
    light: Memory = field(default_factory=Memory)
    learned: TableProfile | None = None
    _glimpse: Glimpse = field(default_factory=Glimpse, init=False)
    _size: Size = field(default_factory=Size, init=False)
    _thread: TableThread | None = field(default=None, init=False)
    _journal: Journal | None = field(default=None, init=False)
    _panel: PanelThread | None = field(default=None, init=False)
    _sitting: Sitting | None = field(default=None, init=False)
    _searched: FrameSource | None = field(default=None, init=False)
    _port: Port | None = field(default=None, init=False)
    _feed: Feed | None = field(default=None, init=False)
    base: TableProfile = field(init=False)

    def __post_init__(self) -> None:
        self.base = self.table
        if self.learned is not None:
            self.table = self.learned

    def open(self) -> TablePort:
        """Open journal and camera and start watching. Raises DeviceError, VisionError or CalibrationError."""
        if self.table.calibration is not None:
            self._size.wh = self.table.calibration.size_px
        if self.table.corners is None and not self.source.live:
            self.table = self.base = self._found()
        self._journal = journal = Journal.open(journal_path(self.data_dir))
        begin = self.match.started(0.0, self.table.checkers)
        evidence = Evidence(self.data_dir, self.pictures)
        record, state, from_s = MatchRecord.resume_or_begin(
            journal, evidence, self.source, begin, any_told=self.match == MatchFile()
        )
        keep = counted(record.keep, self.vitals)
        self._sitting = sitting = Sitting(None, Referee(state, setup_of(self.table)), keep, from_s=from_s)
        if self.table.corners is not None:
            self._open_eyes()
        self._feed = feed = Feed(state, home_right=_home_right(self.table))

        def new_id() -> str:
            return new_match_id(self.source)

        def again() -> MatchState:
            return record.begin(new_id(), begin)

        self._thread = TableThread(
            self._open_watching,
            sitting,
            feed,
            retry=self.source.live,
            again=again if self.source.kind == "sim" else None,
            warn=self.warn,
            alive=self.alive,
        )
        self._thread.start()
        self._port = port = Port(feed, self._thread, record, journal, self.data_dir, new_id)
        self._panel = open_panel(self.panel, port, port.tell, self.warn)
        return port

    @property
    def nobody_plays(self) -> bool:
        """Whether nobody has said yet who plays at a camera's table: no file, nobody on the page, and no game."""
        port = self._port
        if port is None or not self.source.live or self.match != MatchFile():
            return False
        snapshot = port.snapshot()
        if snapshot.state.games:
            return False
        events = port.events(snapshot.match_id)
        return not (events and events[0].event.by)

    def newest_frame(self) -> Frame | None:
        """The newest picture, as the camera gave it; None where there is none."""
        return self._glimpse.newest(live=self.source.live)

    def take_over(self, table: TableProfile) -> Answer:
        """Go on with another table, between two frames; one without corners is looked for again."""
        assert self._thread is not None
        assert self._feed is not None

        def change() -> None:
            assert self._sitting is not None
            assert self._feed is not None
            self.table = table
            self._sitting.set_up(setup_of(table))
            if table.corners is not None:
                self._open_eyes()
            self._feed.turn(home_right=_home_right(table))

        try:
            self._thread.change(change)
        except GeometryError as error:
            return Answer(False, str(error))
        if table.corners is None:
            self._thread.look_anew()
        return Answer(True)

    def close(self) -> None:
        """Stop watching and let go of pins, camera and journal."""
        if self._panel is not None:
            self._panel.stop()
        if self._searched is not None:
            self._searched.close()
        if self._thread is not None:
            self._thread.stop()
        if self._journal is not None:
            self._journal.close()

    def _open_watching(self) -> FrameSource:
        """The source; before it is watched for the first time, its board is found.

        A live table's page is there before its camera and board are: by hand the match goes on meanwhile.
        """
        if self._sitting is not None and self._sitting.settler is None:
            found = self._found()
            assert self._thread is not None
            self._thread.change(lambda: self._settle_on(found))
        return self._open_source()

    def _settle_on(self, found: TableProfile) -> None:
        """See with the board as it was found, unless the table was set up meanwhile."""
        if self._sitting is not None and self._sitting.settler is None:
            self.table = found
            self._open_eyes()

    def _open_eyes(self) -> None:
        """Let the sitting see. Raises GeometryError."""
        assert self._sitting is not None
        eyes = eyes_of(self.table)
        watch = None if self.source.stills else BoardWatch(eyes.geometry)
        self._sitting.see(Settler(eyes, stills=self.source.stills), watch)

    def _found(self) -> TableProfile:
        """The table with its board where the first pictures show it."""
        self._searched = source = self._open_source()
        try:
            with naming(str(self.source)):
                board = find_in(source.frames())
        finally:
            source.close()
            self._searched = None
        self.warn(words(board))
        return placed(self.table, board.geometry)

    def _open_source(self) -> FrameSource:
        source = open_source(self.source, self.data_dir, self.camera, light=self.light, warn=self.warn)
        self.vitals.count("openings")
        if self.source.live:
            source = Newest(
                source,
                str(self.source),
                stall_s=self.camera.stall_s,
                black_below=self.camera.black_below,
                size=self._size,
                tell=self._trouble,
                vitals=self.vitals,
            )
        return Counted(Glimpsed(source, self._glimpse), self.vitals)

    def _trouble(self, text: str) -> None:
        """The camera works and shows nothing: the page says why."""
        assert self._thread is not None, "live cameras are opened by the table's thread"
        self._thread.trouble(text)


def watch(
    appliance: Appliance,
    host: str,
    port: int,
    on_ready: Callable[[], None],
    keys: Keys,
    names: Sequence[str] = (),
    health: HealthPort | None = None,
    setup: SetupPort | None = None,
) -> int:
    """Watch the table and show it, with its health and its set-up where they are given, until Ctrl-C; the exit code."""
    return serve(
        appliance.open,
        host,
        port,
        on_exit=appliance.close,
        on_ready=on_ready,
        keys=keys,
        names=names,
        health=health,
        setup=setup,
    )


def _home_right(table: TableProfile) -> bool:
    """Whether white has his home at his right."""
    return table.white_home.at_right == table.white_home.at_bottom


def table_for(source: SourceName, table: TableProfile | None, match: MatchFile) -> TableProfile:
    """The table file's profile, the drawn table's own where the source is `sim`, with white's seat from the match file.

    Raises DeviceError when match file and table file seat white at different sides.
    """
    if table is None:
        table = table_profile(Table()) if source.kind == "sim" else TableProfile()
    if match.seats is None:
        return table
    white_near = match.seats.near is Player.WHITE
    if table.white_home.at_bottom == white_near:
        return table
    if "white_home" in table.model_fields_set:
        near = "white" if table.white_home.at_bottom else "black"
        raise DeviceError(
            f"the match file seats {match.seats.near} at the camera's side, "
            f"but the table file's white_home {table.white_home} puts {near} there; make them agree"
        )
    return table.model_copy(update={"white_home": Home.BOTTOM_RIGHT if white_near else Home.TOP_RIGHT})
