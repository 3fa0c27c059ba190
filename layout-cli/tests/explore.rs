//! `layout explore`: responses of the page server and its access checks, the file, and the fragment.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

mod common;
use common::{command, layout, text};

/// The running command, which serves the page.
struct Page {
    child: Child,
    port: String,
    token: String,
    fragment: String,
}

impl Page {
    fn open(arguments: &[&str]) -> Self {
        let mut child = command(&["explore", "--no-open"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe"))
            .read_line(&mut line)
            .expect("a line");
        let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address");
        let (port, rest) = rest.split_once('/').expect("a path");
        let (token, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let [port, token, fragment] = [port, token, fragment].map(str::to_owned);
        Self { child, port, token, fragment }
    }

    /// The status and the body of the response to a request.
    fn request(&self, request_line: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("the port");
        let mut request = format!("{request_line} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        request += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).expect("to write");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status.expect("a status"), body.to_owned())
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const REQUEST: &str = r#"{"op": "eval", "text": "logical_divide(24:1, 4:2)"}"#;

#[test]
fn page_needs_the_token() {
    let page = Page::open(&["(4,8):(8,1)", "--dtype", "f16"]);
    assert_eq!(page.fragment, "e=(4,8):(8,1)&t=f16");
    let host = page.host();
    let host = ("Host", host.as_str());
    let (status, body) = page.request(&format!("GET /{}", page.token), &[host], "");
    assert_eq!(status, 200);
    assert!(body.contains("<!doctype html>") && body.contains(&page.token));
    for path in ["/", "/favicon.ico", "/0123", "/call"] {
        let (status, body) = page.request(&format!("GET {path}"), &[host], "");
        assert_eq!(status, 404, "{path}");
        assert!(!body.contains(&page.token), "{path}");
    }

    let origin = format!("http://{}", host.1);
    let token = ("X-Layout-Token", page.token.as_str());
    let (status, body) = page.request("POST /call", &[host, token, ("Origin", &origin)], REQUEST);
    assert_eq!(status, 200);
    assert!(body.contains(r#""text":"(4,(2,3)):(2,(1,8))""#), "{body}");

    let refused: [&[(&str, &str)]; 5] = [
        &[host],
        &[host, ("X-Layout-Token", "0123456789abcdef0123456789abcdef")],
        &[("Host", "layouts.example"), token],
        &[host, token, ("Origin", "http://layouts.example")],
        &[host, token, ("Origin", "null")],
    ];
    for headers in refused {
        assert_eq!(page.request("POST /call", headers, REQUEST).0, 403, "{headers:?}");
    }
    assert_eq!(page.request("POST /call", &[host, token], &" ".repeat(2 << 20)).0, 413);
    assert_eq!(page.request("DELETE /call", &[host, token], "").0, 405);
}

#[test]
fn the_fragment_of_an_expression() {
    let output =
        layout(&["explore", "--link", "Sw<3,0,3> o 0 o (8,8):(8,1)", "--to", "(8,8):(1,8)"]);
    let expected = "#e=Sw%3C3,0,3%3E%20o%200%20o%20(8,8):(8,1)&w=(8,8):(1,8)\n";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(text(&layout(&["explore", "--link"]).stdout), "#\n");
}

#[test]
fn a_file_has_the_engine_in_it() {
    let folder = std::env::temp_dir().join(format!("layout-explore-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).display().to_string();
    let (module, other, out) = (path("engine.wasm"), path("other"), path("page.html"));
    std::fs::write(&module, b"\0asm\x01\0\0\0").expect("a module");
    std::fs::write(&other, "no module").expect("a file");
    let output = layout(&["explore", "--out", &out, "--wasm", &module, "(4,8):(8,1)"]);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
    let html = std::fs::read_to_string(&out).expect("the page");
    assert!(html.contains("wasm: \"AGFzbQEAAAA=\"") && html.contains("\"e=(4,8):(8,1)\""));

    let output = layout(&["explore", "--out", &out, "--wasm", &other]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is not WebAssembly; build it"));
    let output = layout(&["explore", "--out", &out, "--wasm", &path("none")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("none: No such file"));
    std::fs::remove_dir_all(&folder).expect("the folder");
}
