"""The settings of the box: one typed TOML file, every key optional; what the command line says wins over it."""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from platformdirs import user_config_path
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from device.errors import DeviceError
from device.store.evidence import Limits

FILE_NAME = "schiri.toml"
OF_THE_BOX = Path("/etc/schiri")
"""Where the installer puts the settings of a box."""
NO_FILE = "there is no settings file; all is as it comes"
Pin = Annotated[int, Field(ge=0, le=27)]


class ConfigError(DeviceError, ValueError):
    """Settings that cannot be used; the text names the file, the key and what was expected."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WatchSettings(_Section):
    """What `schiri watch` looks at; a table or match file counts from the folder of this file."""

    source: str | None = Field(
        default=None, description="picamera, usb:0, a video, a folder, sim; else the first camera found"
    )
    table: Path | None = Field(default=None, description="table file (JSON)")
    match: Path | None = Field(default=None, description="match file (JSON)")


class PageSettings(_Section):
    """Where the page is served."""

    host: str = Field(
        default="0.0.0.0", min_length=1, description="address to listen on; 127.0.0.1 for this machine alone"
    )
    port: int = Field(default=8080, ge=1, le=65535, description="port")
    name: str = Field(
        default="", description="name in the network, such as schiri.local; else the machine's address is shown"
    )


class StoreSettings(_Section):
    """Where the record lies, and how much room its pictures may take."""

    data_dir: Path | None = Field(
        default=None, description="folder of the journal; else systemd's or the user's state folder"
    )
    picture_days: float = Field(default=30, gt=0, le=3650, description="days for which pictures of events are kept")
    picture_mb: float = Field(default=2000, gt=0, description="megabytes that they may take together")
    free_mb: float = Field(default=500, ge=0, description="megabytes of the disk that they leave free")

    def limits(self) -> Limits:
        """How long pictures of events are kept, and how much room they may take."""
        return Limits(self.picture_days, self.picture_mb * 1e6, self.free_mb * 1e6)


class CameraSettings(_Section):
    """How a live camera is run."""

    width_px: int | None = Field(
        default=None, ge=320, le=8192, multiple_of=32, description="width of the picture; else 1920 (Pi) or 1280 (USB)"
    )
    height_px: int | None = Field(default=None, ge=240, le=8192, description="its height; else 1080 (Pi) or 720 (USB)")
    fps: float = Field(default=10, ge=1, le=60, description="pictures a second that the camera takes")
    mains_hz: Literal[50, 60] = Field(default=50, description="mains frequency, by which lamps flicker")
    lock: bool = Field(
        default=True, description="fix exposure, white balance and focus once they are measured (Pi camera)"
    )
    stall_s: float = Field(
        default=5, ge=1, le=60, description="seconds without a picture after which it is opened again"
    )
    black_below: float = Field(
        default=6, ge=0, le=64, description="mean brightness (0-255) below which a picture is black"
    )

    @property
    def size_px(self) -> tuple[int, int] | None:
        """Width and height, where both are given."""
        return None if self.width_px is None or self.height_px is None else (self.width_px, self.height_px)

    @model_validator(mode="after")
    def _both_or_none(self) -> CameraSettings:
        if (self.width_px is None) != (self.height_px is None):
            raise ValueError("give width_px and height_px, or neither")
        return self


class PanelSettings(_Section):
    """Lamp, buzzer and buttons on the GPIO header, by BCM number; what has no pin is not there."""

    green: Pin | None = Field(default=None, description="lamp: the position has settled")
    red: Pin | None = Field(default=None, description="lamp: an illegal play (not for a recorder)")
    amber: Pin | None = Field(default=None, description="lamp: roll again, or a question waits (not for a recorder)")
    white: Pin | None = Field(default=None, description="lamp: working")
    buzzer: Pin | None = Field(default=None, description="passive buzzer")
    white_button: Pin | None = Field(default=None, description="white's button: DONE; held: confirm")
    black_button: Pin | None = Field(default=None, description="black's button: DONE; held: confirm")
    director_key: Pin | None = Field(
        default=None, description="key switch: held, the next button speaks for the director"
    )
    mute: bool = Field(default=False, description="no tones")
    debounce_ms: float = Field(default=30, ge=0, le=500, description="a contact that changes faster is bouncing")
    hold_s: float = Field(default=1.5, ge=0.3, le=10, description="seconds after which a press is a long one")

    @model_validator(mode="after")
    def _each_pin_once(self) -> PanelSettings:
        taken: dict[int, str] = {}
        for key, pin in self.pins().items():
            if pin in taken:
                raise ValueError(f"{key} and {taken[pin]} are both on pin {pin}")
            taken[pin] = key
        return self

    def pins(self) -> dict[str, int]:
        """The parts that are there, each with its pin."""
        parts = ("green", "red", "amber", "white", "buzzer", "white_button", "black_button", "director_key")
        return {part: pin for part in parts if (pin := getattr(self, part)) is not None}


class Config(BaseSettings):
    """All settings of a box. No environment variable speaks here: what the file does not say is as it comes."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True)

    watch: WatchSettings = WatchSettings()
    page: PageSettings = PageSettings()
    store: StoreSettings = StoreSettings()
    camera: CameraSettings = CameraSettings()
    panel: PanelSettings = PanelSettings()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """The command line, then the file."""
        return init_settings, TomlConfigSettingsSource(settings_cls)


def default_config_path() -> Path:
    """Where a settings file is looked for: `$CONFIGURATION_DIRECTORY`, which systemd sets, else the user's folder."""
    given = os.environ.get("CONFIGURATION_DIRECTORY", "").split(":")[0]
    folder = Path(given) if given else user_config_path("schiri", appauthor=False)
    return folder / FILE_NAME


def find_config(path: Path | None) -> Path | None:
    """The settings file to read: `path`, else the one in the usual place, else that of the box, if there is one."""
    if path is not None:
        return path
    return next((file for file in (default_config_path(), OF_THE_BOX / FILE_NAME) if file.is_file()), None)


def load_config(path: Path | None, said: Mapping[str, Mapping[str, object]] | None = None) -> Config:
    """The settings in the file at `path` (None: no file), under what was `said` on the command line, by sections.

    What is None there was not said. Raises ConfigError, naming file and key, or OSError.
    """
    over = {section: {key: v for key, v in keys.items() if v is not None} for section, keys in (said or {}).items()}
    if path is None:
        return Config(**over)  # type: ignore[arg-type]

    class Filed(Config):
        model_config = SettingsConfigDict(toml_file=path)

    path.stat()  # a file that is not there is an error; the library reads it as empty
    try:
        return _with_own_folder(Filed(**over), path.parent, over)  # type: ignore[arg-type]
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: not a text file in UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not TOML ({error})") from None
    except ValidationError as error:
        raise ConfigError(f"{path}: {_in_words(error)}") from None


def _with_own_folder(config: Config, folder: Path, said: Mapping[str, Mapping[str, object]]) -> Config:
    """The same settings with the paths seen from where the file lies, but for those of the command line, `said`."""

    def seen(section: str, key: str) -> dict[str, Path]:
        value = getattr(getattr(config, section), key)
        return {} if value is None or key in said.get(section, {}) else {key: folder / value}

    watch, store = config.watch, config.store
    files, data = seen("watch", "table") | seen("watch", "match"), seen("store", "data_dir")
    own = {"watch": watch.model_copy(update=files), "store": store.model_copy(update=data)}
    return Config(**{section: getattr(config, section) for section in Config.model_fields} | own)


def known_keys() -> dict[str, Any]:
    """Every key with its section, `page.port`, and its field."""
    return {
        f"{section}.{key}": field
        for section, about in Config.model_fields.items()
        for key, field in _section(about.annotation).model_fields.items()
    }


def _section(annotation: Any) -> type[BaseModel]:
    section: type[BaseModel] = annotation
    return section


def _in_words(error: ValidationError) -> str:
    return "; ".join(_problem(item["loc"], item["type"], item["msg"], item["input"]) for item in error.errors())


def _problem(loc: tuple[int | str, ...], kind: str, message: str, given: object) -> str:
    key = ".".join(map(str, loc))
    if kind == "extra_forbidden":
        near = _nearest(key)
        return f"unknown key {key!r}" + (f"; did you mean {near!r}?" if near else "")
    if kind == "model_type":
        return f"{key}: expected a section [{key}]"
    words = message.removeprefix("Value error, ")
    shown = "" if isinstance(given, Mapping) else f" (got {json.dumps(given, ensure_ascii=False, default=str)[:60]})"
    return f"{key}: {words[:1].lower()}{words[1:]}{shown}"


def _nearest(key: str) -> str | None:
    """The known key most like `key`: in its own section first, then its last part in any section, then as a whole."""
    known = [*Config.model_fields, *known_keys()]
    section, _, last = key.rpartition(".")
    own = {name.rpartition(".")[2]: name for name in known if name.rpartition(".")[0] == section}
    every = {name.rpartition(".")[2]: name for name in known}
    for names in (own, every):
        if near := difflib.get_close_matches(last, names, 1):
            return names[near[0]]
    return next(iter(difflib.get_close_matches(key, known, 1)), None)


def explained(config: Config) -> Iterator[str]:
    """The settings as a settings file, with what each key means; what comes by itself is a comment."""
    for section, about in Config.model_fields.items():
        values = getattr(config, section)
        yield f"# {(_section(about.annotation).__doc__ or '').strip()}"
        yield f"[{section}]"
        for key, field in type(values).model_fields.items():
            value = getattr(values, key)
            given = key in values.model_fields_set and value != field.default
            line = f"{key} = {_toml(value)}" if value is not None else f"{key} ="
            yield f"{'' if given else '# '}{line}  # {field.description}{_range(field.metadata)}"
        yield ""


def _toml(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(str(value) if isinstance(value, Path) else value, ensure_ascii=False)


def _range(metadata: list[Any]) -> str:
    low = next((m.ge if hasattr(m, "ge") else m.gt for m in metadata if hasattr(m, "ge") or hasattr(m, "gt")), None)
    high = next((m.le for m in metadata if hasattr(m, "le")), None)
    if low is None and high is None:
        return ""
    return f" ({low}–{high})" if high is not None else f" ({low} or more)"
