"""`schiri config`: check and explain the settings."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.profile import read_table
from device.cameras.choose import parse_source
from device.config import NO_FILE, Config, default_config_path, explained, find_config, load_config
from device.matchfile import read_match


@click.command()
@click.option("--config", "config_file", type=click.Path(path_type=Path), help="The settings file (TOML).")
@click.option("--check", is_flag=True, help="Only say whether it can be used, with the files that it names.")
@click.option("--explain", is_flag=True, help="Print all settings with their meaning, as a settings file (the usual).")
def config(config_file: Path | None, check: bool, explain: bool) -> None:
    """Check or explain the settings of `schiri watch`.

    Without --config the file in the usual place is read; there need not be one.
    """
    if check and explain:
        raise click.UsageError("give --check or --explain, not both")
    path = find_config(config_file)
    settings = load_config(path)
    where = str(path) if path is not None else f"{NO_FILE} ({default_config_path()} would be read)"
    if not check:
        click.echo(f"# {where}\n")
        click.echo("\n".join(explained(settings)).rstrip())
        return
    _check_files(settings)
    click.echo(f"{where}: it can be used" if path is not None else where)


def _check_files(settings: Config) -> None:
    """Read what the settings name. Raises a domain error or OSError that names the file."""
    if settings.watch.source is not None:
        parse_source(settings.watch.source)
    if settings.watch.table is not None:
        read_table(settings.watch.table)
    if settings.watch.match is not None:
        read_match(settings.watch.match)
