"""`schiri scenes`: drawn tables to be looked at."""

from __future__ import annotations

from pathlib import Path

import click
import cv2

from device.store.atomic import write_atomically
from vision.synth.sheet import COLUMNS, contact_sheet


@click.command()
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0, 999_999_999), help="The first scene's.")
@click.option("--count", default=24, show_default=True, type=click.IntRange(1, 96), help="How many scenes.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="A picture, .png or .jpg.")
def scenes(seed: int, count: int, output: Path) -> None:
    """Draw random tables on one sheet: boards, lights, cameras, hands and whatever lies about."""
    ending = output.suffix.lower()
    if ending not in (".png", ".jpg"):
        raise click.UsageError(f"{output}: a sheet is a .png or a .jpg")
    _, data = cv2.imencode(ending, contact_sheet(seed, count))
    write_atomically(output, data.tobytes())
    click.echo(f"{output}: {count} scenes in rows of {COLUMNS}, from seed {seed} on")
