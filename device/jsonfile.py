"""Files that people write by hand as JSON: read into a model, or refused in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from calibration.errors import JsonError
from calibration.profile import explain, parse_json_object
from device.errors import DeviceError

Model = TypeVar("Model", bound=BaseModel)


def read_model(path: Path, model: type[Model]) -> Model:
    """The file at `path` as `model`. Raises DeviceError, naming file and key, or OSError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        parse_json_object(text)
        return model.model_validate_json(text, strict=True)
    except UnicodeDecodeError:
        raise DeviceError(f"{path}: not a text file in UTF-8") from None
    except JsonError as error:
        raise DeviceError(f"{path}: {error}") from None
    except ValidationError as error:
        raise DeviceError(f"{path}: {explain(error, set(model.model_fields))}") from None
