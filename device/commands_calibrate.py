"""`schiri calibrate`: from the start position before the camera to a table file."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.profile import TableProfile, read_table, table_text
from device.calibrator import learn, source_of
from device.commands_vision import FILE, corners_of
from device.errors import DeviceError
from device.paths import default_data_dir
from device.store.atomic import write_atomically


@click.command()
@click.argument("source")
@click.option("--corners", help='The field\'s corners, "x,y x,y x,y x,y", from the top left clockwise.')
@click.option("--empty", "empty_file", type=FILE, help="A picture of the same board without checkers.")
@click.option("--table", "table_file", type=FILE, help="What is known of the table already (JSON).")
@click.option("-o", "--output", type=FILE, required=True, help="The table file to write.")
def calibrate(source: str, corners: str | None, empty_file: Path | None, table_file: Path | None, output: Path) -> None:
    """Find the board and learn it from the start position; write a table file.

    SOURCE is a picture, or what `watch` takes. Another position, or fewer checkers, is learned from too when the
    table file says "start": "seen".
    """
    table = TableProfile() if table_file is None else read_table(table_file)
    if corners is not None:
        table = table.model_copy(update={"corners": corners_of(corners)})
    if not output.parent.is_dir():
        raise DeviceError(f"{output}: there is no folder {output.parent}")
    learned = learn(source_of(source, default_data_dir()), table, empty_file)
    for line in learned.report:
        click.echo(line)
    write_atomically(output, table_text(learned.table))
    click.echo(f"{output}: written")
