//! A headless Chromium that shows the page, opened as a file, with the network off.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs};

use fantoccini::actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction};
use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value as Json, json};
use static_layout_page::fragment;

/// Time limit of each step.
const PATIENCE: Duration = Duration::from_secs(20);

/// The page in its own browser, which is closed on drop.
pub struct Page {
    pub client: Client,
    pub downloads: PathBuf,
    file: PathBuf,
    profile: PathBuf,
    driver: Child,
}

impl Page {
    /// Starts a browser. Without a driver, prints a message and returns `None`.
    pub async fn open() -> Option<Self> {
        let mut driver = match Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
        {
            Ok(driver) => driver,
            Err(error) => {
                println!("skipped: chromedriver does not start: {error}");
                return None;
            }
        };
        let port = port_of(&mut driver);
        let mut profile = env::temp_dir();
        profile.push(format!("layout-page-{}-{port}", std::process::id()));
        let downloads = profile.join("downloads");
        fs::create_dir_all(&downloads).expect("a folder");
        let options = json!({
            "args": [
                "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--window-size=1440,1600", "--host-resolver-rules=MAP * ~NOTFOUND",
                format!("--user-data-dir={}", profile.display()),
            ],
            "prefs": { "download.default_directory": downloads },
        });
        let capabilities = [("goog:chromeOptions".to_owned(), options)].into_iter().collect();
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(&format!("http://127.0.0.1:{port}"))
            .await
            .expect("a session");
        let file = env::var_os("LAYOUT_PAGE").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/page/layout.html"),
            PathBuf::from,
        );
        let file = file.canonicalize().expect("the page, which build-page builds");
        Some(Self { client, downloads, file, profile, driver })
    }

    /// Follows a link to a state, and waits until the page shows it.
    pub async fn show(&self, fields: &[(&str, &str)]) {
        let fragment = fragment::of(fields);
        let address = format!("file://{}#{fragment}", self.file.display());
        self.client.goto(&address).await.expect("the page");
        self.until(&format!("document.documentElement.dataset.ready === {}", json!(fragment)))
            .await;
    }

    /// The value of an expression in the page.
    pub async fn value(&self, expression: &str) -> Json {
        self.client.execute(&format!("return {expression}"), vec![]).await.expect(expression)
    }

    pub async fn text(&self, selector: &str) -> String {
        self.find(selector).await.text().await.expect(selector)
    }

    pub async fn find(&self, selector: &str) -> Element {
        self.client.find(Locator::Css(selector)).await.expect(selector)
    }

    pub async fn click(&self, selector: &str) {
        self.find(selector).await.click().await.expect(selector);
    }

    /// Waits until an expression in the page is true.
    pub async fn until(&self, expression: &str) {
        let start = Instant::now();
        while self.value(expression).await != json!(true) {
            assert!(start.elapsed() < PATIENCE, "this stays wrong: {expression}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Moves the mouse to a position in an element, relative to its upper left corner.
    /// Clicks if `clicks` is true.
    pub async fn mouse(&self, selector: &str, (x, y): (i64, i64), clicks: bool) {
        let bounds = format!("document.querySelector('{selector}').getBoundingClientRect()");
        let bounds = self.value(&bounds).await;
        let corner = |name: &str| bounds[name].as_f64().unwrap_or(0.0);
        let (x, y) = (corner("x") + x as f64, corner("y") + y as f64);
        let mut mouse = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo {
            duration: None,
            x,
            y,
        });
        if clicks {
            let button = fantoccini::actions::MOUSE_BUTTON_LEFT;
            mouse = mouse.then(PointerAction::Down { button }).then(PointerAction::Up { button });
        }
        self.client.perform_actions(mouse).await.expect("the mouse");
    }

    /// Presses keys in sequence while the keys of `with` are held.
    pub async fn keys(&self, with: &[Key], keys: impl IntoIterator<Item = char>) {
        let mut actions = KeyActions::new("keys".to_owned());
        for key in with {
            actions = actions.then(KeyAction::Down { value: (*key).into() });
        }
        for value in keys {
            actions = actions.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        for key in with {
            actions = actions.then(KeyAction::Up { value: (*key).into() });
        }
        self.client.perform_actions(actions).await.expect("the keys");
    }

    /// The field of the state in the fragment; empty if it has its default value.
    pub async fn state(&self, name: &str) -> String {
        let field = format!(
            "decodeURIComponent(location.hash.slice(1).split('&').find((one) => one.startsWith('{name}='))?.slice(2) ?? '')"
        );
        self.value(&field).await.as_str().unwrap_or_default().to_owned()
    }

    pub async fn close(self) {
        self.client.clone().close().await.expect("the session");
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

/// The port that the driver prints.
fn port_of(driver: &mut Child) -> u16 {
    let mut lines = BufReader::new(driver.stdout.take().expect("a pipe")).lines();
    let port = lines.find_map(|line| {
        let line = line.expect("text");
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    // Reads later output too, so that the driver never blocks on a full pipe.
    std::thread::spawn(move || lines.for_each(drop));
    port.expect("the port of the driver")
}
