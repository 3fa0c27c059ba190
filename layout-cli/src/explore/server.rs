//! The HTTP server of the page: for one browser on this machine, authenticated by a token.
//!
//! Other pages in the browser can also send requests to 127.0.0.1, possibly through a domain name
//! that resolves to it. So a request must name this host, come from this page, and carry the token.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;

use static_layout_page::html::{Engine, page};
use tiny_http::{Header, Method, Request, Response, Server};

/// Maximum length of a request.
const MAX_REQUEST_BYTES: u64 = 1 << 20;

/// Maximum number of requests served concurrently.
const SERVER_THREADS: usize = 4;

/// The stack size of a thread: expressions are evaluated recursively.
const STACK_BYTES: usize = 16 << 20;

/// Serves the page until the process ends.
///
/// # Errors
///
/// If no port is available, or standard output fails.
pub(super) fn serve(fragment: &str, open_browser: bool) -> io::Result<()> {
    let server = Server::http("127.0.0.1:0").map_err(io::Error::other)?;
    let port = server.server_addr().to_ip().map_or(0, |address| address.port());
    let service = Arc::new(PageService { port, token: token()?, fragment: fragment.to_owned() });
    let fragment = if fragment.is_empty() { String::new() } else { format!("#{fragment}") };
    let address = format!("http://127.0.0.1:{port}/{}{fragment}", service.token);
    let mut out = io::stdout().lock();
    writeln!(out, "{address}")?;
    out.flush()?;
    drop(out);
    if open_browser {
        match open::that_detached(&address) {
            Ok(()) => writeln!(io::stderr(), "The page is open in your browser. Ctrl-C stops it.")?,
            Err(error) => {
                writeln!(io::stderr(), "Cannot open a browser ({error}): open the address above.")?;
            }
        }
    }
    let server = Arc::new(server);
    let mut threads = Vec::new();
    for _ in 0..SERVER_THREADS {
        let (server, service) = (Arc::clone(&server), Arc::clone(&service));
        let run = move || {
            while let Ok(request) = server.recv() {
                // The browser closed the connection; the answer is dropped.
                let _ = service.respond(request);
            }
        };
        threads.push(thread::Builder::new().stack_size(STACK_BYTES).spawn(run)?);
    }
    for thread in threads {
        thread.join().map_err(|_| io::Error::other("a thread of the server stopped"))?;
    }
    Ok(())
}

/// 128 random bits as text.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

struct PageService {
    port: u16,
    token: String,
    fragment: String,
}

/// The status, body and content type of a response.
type ResponseParts = (u16, String, &'static str);

impl PageService {
    fn respond(&self, mut request: Request) -> io::Result<()> {
        let (status, text, kind) = self.response_parts(&mut request);
        let mut response = Response::from_string(text).with_status_code(status);
        let headers = [
            ("Content-Type", kind),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
        ];
        for (name, value) in headers {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        request.respond(response)
    }

    fn response_parts(&self, request: &mut Request) -> ResponseParts {
        let error_response =
            |status, text: &str| (status, format!("{text}\n"), "text/plain; charset=utf-8");
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let is_this_host = |value: &str| hosts.iter().any(|host| host == value);
        if !header(request, "Host").is_some_and(is_this_host) {
            return error_response(403, "another host");
        }
        let origin = header(request, "Origin");
        if origin.is_some_and(|origin| !origin.strip_prefix("http://").is_some_and(is_this_host)) {
            return error_response(403, "another origin");
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default().to_owned();
        match (request.method(), path.as_str()) {
            (Method::Get, path) if path.strip_prefix('/') == Some(self.token.as_str()) => {
                let html = page(Engine::Server { token: &self.token }, &self.fragment);
                (200, html, "text/html; charset=utf-8")
            }
            (Method::Post, "/call") => {
                if header(request, "X-Layout-Token") != Some(self.token.as_str()) {
                    return error_response(403, "another token");
                }
                let mut text = String::new();
                match request.as_reader().take(MAX_REQUEST_BYTES).read_to_string(&mut text) {
                    Ok(length) if length as u64 == MAX_REQUEST_BYTES => {
                        error_response(413, "the request is too long")
                    }
                    Ok(_) => (200, static_layout_page::call(&text), "application/json"),
                    Err(_) => error_response(400, "the request is not text"),
                }
            }
            (Method::Post | Method::Get, _) => error_response(404, "not found"),
            _ => error_response(405, "GET and POST only"),
        }
    }
}

fn header<'a>(request: &'a Request, name: &str) -> Option<&'a str> {
    let mut all = request.headers().iter();
    all.find(|header| header.field.as_str().as_str().eq_ignore_ascii_case(name))
        .map(|header| header.value.as_str())
}
