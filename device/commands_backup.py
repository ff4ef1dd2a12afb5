"""`schiri backup` and `schiri restore`: everything that the box must remember, in one file."""

from __future__ import annotations

from pathlib import Path

import click

from device.config import Config, default_config_path, find_config, load_config
from device.paths import default_data_dir
from device.store.backup import back_up, preview
from device.store.backup import restore as bring_back

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("target", metavar="FILE", type=FILE)
@click.option("--config", "config_file", type=FILE, help="The settings (TOML), which name the data and what to keep.")
@click.option("--data-dir", type=FILE, help="Where Schiri keeps its journal and pictures.")
def backup(target: Path, config_file: Path | None, data_dir: Path | None) -> None:
    """Save journal, pictures and settings into FILE, a .tar; also while Schiri watches."""
    path = find_config(config_file)
    settings = load_config(path, {"store": {"data_dir": data_dir}})
    named = [path, settings.watch.table, settings.watch.match]
    kept = back_up(target, _data_dir(settings), [file for file in named if file is not None and file.exists()])
    for line in kept.lines():
        click.echo(line)
    click.echo(f"{target}: written, {target.stat().st_size / 1e6:.1f} MB")


@click.command()
@click.argument("source", metavar="FILE", type=FILE)
@click.option("--config", "config_file", type=FILE, help="Where the settings go to.")
@click.option("--data-dir", type=FILE, help="Where the journal and the pictures go to.")
@click.option("--yes", is_flag=True, help="Do it; without, only what is in FILE is told.")
def restore(source: Path, config_file: Path | None, data_dir: Path | None, yes: bool) -> None:
    """Tell what is in a backup, and with --yes bring it back.

    Schiri must not be watching. What is there now is moved aside, into a folder in the data folder.
    """
    path = find_config(config_file)
    settings = load_config(path if path is not None and path.exists() else None, {"store": {"data_dir": data_dir}})
    place, settings_dir = _data_dir(settings), (path or default_config_path()).parent
    if not yes:
        for line in preview(source).lines():
            click.echo(line)
        click.echo(f"--yes brings it back to {place}, the settings to {settings_dir}")
        return
    seen, aside = bring_back(source, place, settings_dir)
    for line in seen.lines():
        click.echo(line)
    click.echo(f"brought back; what was there before is in {aside}")


def _data_dir(settings: Config) -> Path:
    return settings.store.data_dir or default_data_dir()
