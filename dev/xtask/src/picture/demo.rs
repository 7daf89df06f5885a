//! The first two agents of `attest demo`, one honest and one that lies, as a picture: SVG and CSS alone, which a README
//! shows.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use anstyle_svg::Term;

use super::printed;

/// Columns of the terminal: few, so that a telephone shows letters that can be read.
const COLUMNS: u16 = 60;
/// What the picture has: how it begins, the honest agent, and the lie that is caught.
const PARAGRAPHS: usize = 3;

/// The colours in light and in dark.
const STYLE: &str = "\
  <style>
    .bg { fill: #f6f8fa; stroke: #d0d7de } .fg { fill: #1f2328 }
    .fg-green { fill: #116329 } .fg-red { fill: #b3261e } .fg-yellow { fill: #7a4b00 }
    .bold { font-weight: bold } .dimmed { fill: #59636e }
    text { font: 14px SFMono-Regular, Consolas, Liberation Mono, Menlo, monospace; white-space: pre; }
    @media (prefers-color-scheme: dark) {
      .bg { fill: #0d1117; stroke: #30363d } .fg { fill: #e6edf3 }
      .fg-green { fill: #4ac26b } .fg-red { fill: #ff8a80 } .fg-yellow { fill: #e3b341 }
      .dimmed { fill: #9198a1 }
    }
  </style>
";

/// Gives the picture.
pub(super) fn draw(program: &Path) -> Result<String, Box<dyn Error>> {
    let program = program.display();
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command"])
        .arg(format!(
            "stty columns {COLUMNS} rows 100; exec '{program}' demo"
        ))
        .arg("/dev/null")
        .env("TERM", "xterm")
        .env_remove("NO_COLOR");
    let text = printed(&mut script)?.replace('\r', "");
    let shown: Vec<_> = text.split("\n\n").take(PARAGRAPHS).collect();
    Ok(still(&Term::new().min_width_px(1).render_svg(&format!(
        "$ attest demo\n{}\n\n…\n",
        shown.join("\n\n")
    )))?)
}

/// The picture of a terminal with each line as a text of its own.
fn still(drawn: &str) -> Result<String, &'static str> {
    let (size, rest) = drawn.split_once(" xmlns").ok_or("no size")?;
    let number = |name: &str| {
        let (_, value) = size.split_once(name)?;
        value.split_once("px")?.0.parse::<u32>().ok()
    };
    let width = number("width=\"").ok_or("no width")?;
    let height = number("height=\"").ok_or("no height")?;
    let (_, lines) = rest
        .split_once("class=\"container fg\">")
        .ok_or("no text")?;
    let (lines, _) = lines.split_once("  </text>").ok_or("no end of the text")?;
    let mut picture = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n{STYLE}  \
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"6\" class=\"bg\" />\n",
        width - 1,
        height - 1
    );
    for line in lines.split("\n</tspan>") {
        let Some((place, line)) = line.trim_start().split_once('>') else {
            continue;
        };
        let place = place
            .strip_prefix("<tspan ")
            .ok_or("a line in another form")?;
        if line.is_empty() {
            continue;
        }
        let place = place.replace("px", "");
        picture += &format!("  <text {place} class=\"fg\" xml:space=\"preserve\">{line}</text>\n");
    }
    Ok(picture + "</svg>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_a_text_of_its_own() {
        let drawn = Term::new().render_svg("$ x\none <a>\n\n\u{1b}[32mtwo\u{1b}[0m\n");
        let picture = still(&drawn).unwrap();
        assert_eq!(picture.matches("<text ").count(), 3, "{picture}");
        assert!(picture.contains("one &lt;a&gt;"), "{picture}");
        assert!(!picture.contains("<script"), "{picture}");
    }
}
