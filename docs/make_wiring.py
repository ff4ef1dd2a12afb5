"""Draw docs/wiring.svg: the panel's parts on the lower end of the Pi's header. `python docs/make_wiring.py`."""

from __future__ import annotations

from pathlib import Path

from device.config import PanelSettings

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" font-family="sans-serif" font-size="14">'
SOFT, INK = "#6b5f53", "#231f1d"
BCM_OF_PIN = {29: 5, 31: 6, 33: 13, 35: 19, 32: 12, 36: 16, 38: 20, 40: 21, 37: 26}
GROUND = (25, 30, 34, 39)
FIRST, LAST = 25, 40
PANEL = PanelSettings(green=5, red=6, amber=13, white=19, buzzer=12, white_button=16, black_button=20, director_key=21)
"""The pins of docs/build.md: all at one end of the header, lamps on its inner row, the rest on its outer one."""
PARTS = {
    "green": ("green LED", "330 Ω"),
    "red": ("red LED", "330 Ω"),
    "amber": ("amber LED", "330 Ω"),
    "white": ("white LED", "330 Ω"),
    "buzzer": ("passive buzzer", "220 Ω"),
    "white_button": ("white's button", ""),
    "black_button": ("black's button", ""),
    "director_key": ("director's key", ""),
}
COLOURS = {"green": "#2f8f4e", "red": "#c0392b", "amber": "#d68910", "white": "#f4f1e8"}
ROW, TOP, LEFT_X, RIGHT_X, WIDTH = 44, 74, 330, 370, 700


def row_y(pin: int) -> int:
    """Where a pin's row lies; two pins share one."""
    return TOP + ROW * ((pin - FIRST) // 2)


def drawing() -> str:
    """The whole drawing."""
    part_of = {bcm: part for part, bcm in PANEL.pins().items()}
    height = row_y(LAST) + 92
    lines = [
        SVG.format(WIDTH, height),
        f'<rect width="{WIDTH}" height="{height}" fill="#fffdf7"/>',
        _text(WIDTH / 2, 28, f"Header of the Raspberry Pi, pins {FIRST} to {LAST}", "middle", 17),
        _text(LEFT_X - 40, 50, "towards the board", "end", fill=SOFT),
        _text(RIGHT_X + 40, 50, "towards the edge", "start", fill=SOFT),
        f'<rect x="{LEFT_X - 24}" y="{TOP - 24}" width="88" height="{row_y(LAST) - TOP + 48}" rx="8" fill="{INK}"/>',
    ]
    for pin in range(FIRST, LAST + 1):
        lines += _pin(pin, part_of.get(BCM_OF_PIN.get(pin, -1)))
    lines.append(_text(20, height - 34, "LEDs, buzzer, buttons and key all have their other wire at ground (GND)."))
    warning = "A LED's longer leg is at its resistor. Nothing here may touch the 5 V pins, 2 and 4."
    lines += [_text(20, height - 14, warning, fill=SOFT), "</svg>"]
    return "\n".join(lines) + "\n"


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 14, fill: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{words}</text>'


def _pin(pin: int, part: str | None) -> list[str]:
    left = pin % 2 == 1
    x, y = LEFT_X if left else RIGHT_X, row_y(pin)
    fill = "#8a8a8a" if pin in GROUND else "#d9a520" if part else "#4a4540"
    number = _text(x, y + 4, str(pin), "middle", 11, "#fff")
    lines = [f'<circle cx="{x}" cy="{y}" r="13" fill="{fill}"/>', number]
    if pin in GROUND:
        at, anchor = (x - 34, "end") if left else (x + 34, "start")
        lines.append(_text(at, y + 5, "GND", anchor, fill=SOFT))
    return lines + (_part(part, x, y, left=left) if part else [])


def _part(part: str, x: int, y: int, *, left: bool) -> list[str]:
    """A part's wire, resistor and box, beside its pin."""
    name, resistor = PARTS[part]
    side = -1 if left else 1
    near, far, box_w = x + side * 14, x + side * 150, 150
    box_x = far - box_w if left else far
    fill = COLOURS.get(part, "#eee7d8")
    ink = "#fff" if part in ("green", "red", "amber") else "#231f1d"
    lines = [
        f'<path d="M{near} {y}H{far}" stroke="#231f1d" stroke-width="2"/>',
        f'<rect x="{box_x}" y="{y - 16}" width="{box_w}" height="32" rx="6" fill="{fill}" stroke="#231f1d"/>',
        _text(box_x + box_w / 2, y + 5, name, "middle", fill=ink),
        _text(x + side * 28, y - 5, f"GPIO {PANEL.pins()[part]}", "end" if left else "start", 11, SOFT),
    ]
    if resistor:
        lines += [
            f'<rect x="{x + side * 110 - 26}" y="{y - 9}" width="52" height="18" fill="#fffdf7" stroke="#231f1d"/>',
            _text(x + side * 110, y + 4, resistor, "middle", 11),
        ]
    return lines


if __name__ == "__main__":
    (Path(__file__).parent / "wiring.svg").write_text(drawing(), encoding="utf-8")
