"""`schiri watch`, `read`, `dice` and `transcribe`: from pictures to a game."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path

import click

from calibration.geometry import parse_corners
from calibration.profile import TableProfile, read_table
from device.address import EVERYWHERE, HERE, page_url, qr_text
from device.app import Appliance, table_for
from device.app import watch as run_watch
from device.cameras.choose import default_source, parse_source
from device.config import explained, find_config, load_config
from device.dice import dice_all
from device.errors import DeviceError
from device.health import Health, Messages
from device.keyfile import NAME, open_keys
from device.matchfile import MatchFile, read_match
from device.notify import Notifier
from device.paths import default_data_dir
from device.planfile import plan_of
from device.reader import read_all
from device.server import check_free
from device.setupdesk import SetupDesk
from device.simulator import SMALLEST_PX
from device.simulator import simulate as film_match
from device.tablefile import learned_path, learned_table
from device.transcriber import transcribe_all

FILE = click.Path(path_type=Path)


def _table(path: Path | None) -> TableProfile | None:
    return None if path is None else read_table(path)


def _match(path: Path | None) -> MatchFile:
    return MatchFile() if path is None else read_match(path)


@click.command()
@click.argument("source", required=False)
@click.option("--table", "table_file", type=FILE, help="What is known of the table (JSON).")
@click.option("--match", "match_file", type=FILE, help="Who plays, how long, by which rules (JSON).")
@click.option("--config", "config_file", type=FILE, help="The settings (TOML); what is said here wins over them.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the page.  [default: 8080]")
@click.option("--host", help="Address the page is served on.  [default: 0.0.0.0]")
@click.option("--data-dir", type=FILE, help="Where the journal is kept.")
@click.option(
    "--name", "names", multiple=True, help="A name of this machine, such as schiri.example.org; *.local need none."
)
def watch(
    source: str | None,
    table_file: Path | None,
    match_file: Path | None,
    config_file: Path | None,
    port: int | None,
    host: str | None,
    data_dir: Path | None,
    names: tuple[str, ...],
) -> None:
    """Follow a game and show it on a web page.

    SOURCE is picamera, usb:0, a video, a folder of pictures, or sim (a drawn table, no camera
    needed; sim:7 for another game). Without it the first camera found is taken, else sim.
    """
    said: dict[str, dict[str, object]] = {
        "watch": {"source": source, "table": table_file, "match": match_file},
        "page": {"host": host, "port": port},
        "store": {"data_dir": data_dir},
    }
    settings = load_config(find_config(config_file), said)
    name = parse_source(settings.watch.source) if settings.watch.source else default_source()
    match = _match(settings.watch.match)
    table = table_for(name, _table(settings.watch.table), match)
    folder = settings.store.data_dir or default_data_dir()
    check_free(settings.page.host, settings.page.port)
    keys, new_pin = open_keys(folder)
    given = settings.watch.table
    systemd, messages = Notifier.of(), Messages(lambda text: click.echo(f"schiri: {text}", err=True))
    appliance = Appliance(
        name,
        table,
        match,
        folder,
        learned=learned_table(folder, name, messages) if given is None else None,
        pictures=settings.store.limits(),
        camera=settings.camera,
        panel=settings.panel,
        warn=messages,
        alive=systemd.alive,
    )
    host, port = settings.page.host, settings.page.port
    shown = "localhost" if host in (*EVERYWHERE, *HERE) else host
    click.echo(f"schiri: watching {name}")

    if new_pin:
        forgotten = f"forgotten: remove {folder / NAME}"
        click.echo(f"schiri: the director's PIN is {new_pin}; it is shown only now ({forgotten})", err=True)

    def ready() -> None:
        click.echo(f"schiri: the page is at http://{shown}:{port} (Ctrl-C ends)")
        if sys.stdout.isatty():
            url = page_url(settings.page)
            click.echo(f"schiri: for a phone in the same network: {url}\n{qr_text(url)}")
        systemd.ready()

    told, url = "\n".join(explained(settings)), partial(page_url, settings.page)
    light = appliance.light if name.kind == "picamera" else None
    health = Health(appliance.vitals, folder, messages, told, light, url)
    names = (*names, *filter(None, [settings.page.name]))
    desk = SetupDesk(appliance, learned_path(folder, name), given)
    raise SystemExit(run_watch(appliance, host, port, ready, keys, names, health, desk))


@click.command()
@click.argument("images", nargs=-1, type=click.Path(path_type=Path))
@click.option("--list", "list_file", type=FILE, help='One {"image", "corners", "bar"} a line, one answer a line.')
@click.option("--table", "table_file", type=FILE, help="What is known of the table (JSON).")
@click.option("--corners", help='The field\'s corners, "x,y x,y x,y x,y", from the top left clockwise.')
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
@click.option(
    "--annotate", "annotate_to", type=click.Path(path_type=Path), help="Draw what was seen: a file, or a folder."
)
def read(
    images: tuple[Path, ...],
    list_file: Path | None,
    table_file: Path | None,
    corners: str | None,
    as_json: bool,
    annotate_to: Path | None,
) -> None:
    """Read the position, dice and cube from photos of a board."""
    if bool(images) == (list_file is not None):
        raise click.UsageError("give pictures or --list, not both and not neither")
    table = _table(table_file) or TableProfile()
    if corners is not None:
        table = table.model_copy(update={"corners": corners_of(corners)})
    corners_from = "table" if corners is None else "given"
    ok = read_all(images, list_file, table, corners_from=corners_from, as_json=as_json, annotate_to=annotate_to)
    raise SystemExit(0 if ok else 1)


@click.command()
@click.argument("images", nargs=-1, type=click.Path(path_type=Path))
@click.option("--list", "list_file", type=FILE, help='One {"image", "size_px"} a line, one answer a line.')
@click.option("--size", "size_px", type=click.FloatRange(1), help="About how many pixels wide a die is.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a picture.")
def dice(images: tuple[Path, ...], list_file: Path | None, size_px: float | None, as_json: bool) -> None:
    """Find and read dice alone, anywhere in a picture."""
    if bool(images) == (list_file is not None):
        raise click.UsageError("give pictures or --list, not both and not neither")
    raise SystemExit(0 if dice_all(images, list_file, size_px, as_json=as_json) else 1)


def corners_of(text: str) -> list[list[float]]:
    """The four pairs of `--corners`. Raises DeviceError or GeometryError."""
    try:
        pairs = [[float(c) for c in pair.split(",")] for pair in text.split()]
    except ValueError:
        raise DeviceError(f'--corners: expected "x,y x,y x,y x,y", got {text!r}') from None
    return [list(corner) for corner in parse_corners(pairs, "--corners")]


@click.command()
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--table", "table_file", type=FILE, help="What is known of the table (JSON).")
@click.option("--match", "match_file", type=FILE, help="Who plays, how long, by which rules (JSON).")
@click.option("--commands", "commands_file", type=FILE, help="What was said and pressed (JSON lines).")
@click.option("-o", "--output", type=FILE, help="The match as a .mat file.")
@click.option("--events", "events_file", type=FILE, help="Everything that happened, one JSON object a line.")
def transcribe(
    sources: tuple[Path, ...],
    table_file: Path | None,
    match_file: Path | None,
    commands_file: Path | None,
    output: Path | None,
    events_file: Path | None,
) -> None:
    """Write down a recorded game: a video, a folder of pictures, or single pictures in natural order."""
    match = _match(match_file)
    table = table_for(parse_source("sim"), _table(table_file) or TableProfile(), match)
    transcribe_all(sources, table, match, commands_file=commands_file, output=output, events_file=events_file)


def _size(_context: click.Context, _parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    size = re.fullmatch(r"(\d{2,5})[x×](\d{2,5})", text)
    if size is None or min(int(size[1]), int(size[2])) < SMALLEST_PX:
        raise click.BadParameter(f"expected WxH with at least {SMALLEST_PX} pixels each way, such as 1280x720")
    return int(size[1]), int(size[2])


def _faults(_context: click.Context, _parameter: click.Parameter, text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


@click.command()
@click.option("--seed", type=click.IntRange(0, 999_999_999), help="Decides all that the plan leaves open.")
@click.option("--length", type=click.IntRange(1, 99), help="Points to win; 1 where no plan says otherwise.")
@click.option("--plan", "plan_file", type=FILE, help="What to film (JSON), or a match file such as .mat.")
@click.option("--faults", callback=_faults, default="", help="Faults to film, each once: names with commas, or all.")
@click.option("--size", "size_px", callback=_size, help="Size of the picture, WxH; 960x600 where left out.")
@click.option("--fps", type=click.FloatRange(1, 60), default=5.0, show_default=True, help="Frames a second.")
@click.option("--stream", "h264", type=click.IntRange(0, 51), default=0, help="As H.264 of this QP shows it; 0: clear.")
@click.option("--max-frames", type=click.IntRange(1), help="Stop after so many frames.")
@click.option("-o", "--output", type=FILE, required=True, help="A folder that is not there yet.")
def simulate(
    seed: int | None,
    length: int | None,
    plan_file: Path | None,
    faults: tuple[str, ...],
    size_px: tuple[int, int] | None,
    fps: float,
    max_frames: int | None,
    h264: int,
    output: Path,
) -> None:
    """Film a match at the drawn table and write down what is true of it.

    What is filmed is decided by a seed, or by a plan and a seed.
    """
    if seed is None and plan_file is None:
        raise click.UsageError("give --seed, --plan, or both")
    plan, match = plan_of(plan_file, seed=seed, length=length, faults=faults)
    count, left_out = film_match(output, plan, match, size_px=size_px, fps=fps, max_frames=max_frames, h264=h264)
    click.echo(f"{output}: {count} frames")
    if left_out:
        click.echo(f"schiri: there was no occasion for {', '.join(left_out)}", err=True)
