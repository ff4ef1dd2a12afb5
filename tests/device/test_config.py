"""The settings file: what it may say, what is refused and how, and what wins over what."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from device import commands_vision
from device import config as config_module
from device.app import Appliance
from device.cli import main
from device.config import Config, ConfigError, explained, find_config, known_keys, load_config


def written(folder: Path, text: str) -> Path:
    path = folder / "schiri.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings of the machine that runs the tests."""
    folder = tmp_path / "etc"
    folder.mkdir()
    monkeypatch.setenv("CONFIGURATION_DIRECTORY", str(folder))
    monkeypatch.setattr(config_module, "OF_THE_BOX", tmp_path / "box")
    return folder


def schiri(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def test_no_file_is_needed() -> None:
    assert find_config(None) is None
    assert load_config(None) == Config()
    result = schiri("config", "--check")
    assert (result.exit_code, result.stdout[:30]) == (0, "there is no settings file; all")


def test_the_file_in_the_usual_place_is_read_and_another_one_on_request(own_folder: Path, tmp_path: Path) -> None:
    usual = written(own_folder, "[page]\nport = 81\n")
    other = written(tmp_path, "[page]\nport = 82\n")
    assert load_config(find_config(None)).page.port == 81
    assert find_config(None) == usual
    assert load_config(find_config(other)).page.port == 82


def test_a_user_without_settings_of_his_own_gets_those_of_the_box(own_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "box").mkdir()
    of_the_box = written(tmp_path / "box", "[page]\nport = 83\n")
    assert find_config(None) == of_the_box
    assert find_config(None) != written(own_folder, "")
    assert find_config(None) == own_folder / "schiri.toml"


def test_a_file_that_is_named_but_not_there_is_an_error() -> None:
    result = schiri("config", "--config", "gone.toml")
    assert (result.exit_code, result.stderr) == (1, "schiri: gone.toml: No such file or directory\n")


def test_what_the_command_line_says_wins_over_the_file_key_by_key(tmp_path: Path) -> None:
    path = written(tmp_path, '[page]\nhost = "127.0.0.1"\nport = 81\n')
    page = load_config(path, {"page": {"port": 90, "host": None}}).page
    assert (page.host, page.port) == ("127.0.0.1", 90)


def test_the_environment_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGE", '{"port": 99}')
    assert load_config(None).page.port == 8080


def test_paths_count_from_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, '[watch]\ntable = "table.json"\nmatch = "/m.json"\n[store]\ndata_dir = "data"\n')
    config = load_config(path)
    assert (config.watch.table, config.watch.match) == (tmp_path / "table.json", Path("/m.json"))
    assert config.store.data_dir == tmp_path / "data"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[page]\nprot = 1", "unknown key 'page.prot'; did you mean 'page.port'?"),
        ("prot = 1", "unknown key 'prot'; did you mean 'page.port'?"),
        ("[panle]\ngreen = 3", "unknown key 'panle'; did you mean 'panel'?"),
        ("[page]\ngren = 1", "unknown key 'page.gren'; did you mean 'panel.green'?"),
        ("[page]\nxyzzyx = 1", "unknown key 'page.xyzzyx'"),
        ("page = 3", "page: expected a section [page]"),
        ("[page]\nport = 0", "page.port: input should be greater than or equal to 1 (got 0)"),
        ("[camera]\nmains_hz = 55", "camera.mains_hz: input should be 50 or 60 (got 55)"),
        ("[panel]\nred = 4\ngreen = 4", "panel: red and green are both on pin 4"),
        ("[panel]\nred = 28", "panel.red: input should be less than or equal to 27 (got 28)"),
        ("[page", "not TOML (Expected ']' at the end of a table declaration"),
    ],
)
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConfigError, match=re.escape(f"{path}: {words}")):
        load_config(path)
    result = schiri("config", "--check", "--config", str(path))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"schiri: {path}: {words}")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "schiri.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not a text file in UTF-8"):
        load_config(path)


def test_check_reads_the_files_that_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, '[watch]\nsource = "sim:3"\nmatch = "m.json"\n')
    (tmp_path / "m.json").write_text('{"lenght": 7}', encoding="utf-8")
    result = schiri("config", "--check", "--config", str(path))
    assert (result.exit_code, result.stderr) == (
        1,
        f"schiri: {tmp_path / 'm.json'}: unknown key 'lenght'; did you mean 'length'?\n",
    )
    (tmp_path / "m.json").write_text('{"length": 7}', encoding="utf-8")
    result = schiri("config", "--check", "--config", str(path))
    assert (result.exit_code, result.stdout) == (0, f"{path}: it can be used\n")


def test_the_explanation_is_a_settings_file_that_says_the_same(tmp_path: Path) -> None:
    text = '[watch]\nsource = "usb:0"\n[store]\npicture_days = 2.5\n[panel]\nmute = true\nred = 4\n'
    config = load_config(written(tmp_path, text))
    again = written(tmp_path, "\n".join(explained(config)))
    assert load_config(again) == config
    assert load_config(written(tmp_path, "\n".join(explained(Config())))) == Config()


def test_every_key_has_a_meaning_and_stands_in_the_explanation() -> None:
    lines = list(explained(Config()))
    for name, field in known_keys().items():
        assert field.description, name
        assert any(line.startswith(f"# {name.partition('.')[2]} =") and field.description in line for line in lines)


def test_the_documents_show_the_real_settings(root: Path) -> None:
    assert "\n".join(explained(Config())).strip() in (root / "docs/settings.md").read_text(encoding="utf-8")


def test_check_and_explain_exclude_each_other() -> None:
    assert schiri("config", "--check", "--explain").exit_code == 2


def test_watch_takes_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[Appliance, str, int]] = []

    def run(appliance: Appliance, host: str, port: int, *_others: object) -> int:
        started.append((appliance, host, port))
        return 0

    monkeypatch.setattr(commands_vision, "run_watch", run)
    text = '[watch]\nsource = "sim:3"\n[page]\nport = 81\nhost = "::1"\n[store]\ndata_dir = "d"\nfree_mb = 7\n'
    path = written(tmp_path, text)
    assert schiri("watch", "--config", str(path)).exit_code == 0
    assert (
        schiri("watch", "sim:4", "--config", str(path), "--port", "90", "--data-dir", str(tmp_path / "here")).exit_code
        == 0
    )
    (filed, *address), (said, *said_address) = started
    assert (str(filed.source), address, filed.data_dir) == ("sim:3", ["::1", 81], tmp_path / "d")
    assert filed.pictures.free_bytes == 7e6
    assert (str(said.source), said_address, said.data_dir) == ("sim:4", ["::1", 90], tmp_path / "here")
