//! Requests and answers: `call(request) -> answer`, both JSON.
//!
//! | `op` | other fields | answer |
//! |---|---|---|
//! | `eval` | `text`, `dtype` | the value: `text`, `facts`, `notations` |
//! | `show` | `text`, `dtype`, `color` | the cells, and the memory |
//! | `cell` | `text`, `dtype`, `cell`, `others` | all about one cell |
//! | `relayout` | `from`, `to`, `dtype` | the copy plan and its moves, in order |
//! | `complete` | `prefix` | the operations whose names begin so |
//! | `explain` | `text` | each step of the value, or up to what is wrong |
//! | `access` | `text`, `dtype`, `threads`, `memory`, `vector` | what accesses cost |
//! | `diff` | `from`, `to`, `dtype` | where two layouts differ |
//! | `entry` | `code` | what `layout explain CODE` says |
//!
//! Each answer has `"schema": 1`. One that cannot be given is `{"schema": 1, "errors": [..]}`, as
//! [`problems`] has it; with `"field"` where a field of the request other than `text` is wrong.

use layout_core::devices::ElementType;
use layout_core::error::{self, Example};
use layout_core::text::{OPERATIONS, ParseError, Value, eval};
use layout_view::access::{self, Analysis, MOST_ACCESSES, Memory, Threads, offsets_of};
use layout_view::convert::{self, Notation};
use layout_view::derive::Derivation;
use layout_view::difference::Difference;
use layout_view::facts::Facts;
use layout_view::{SCHEMA, problems, subject};
use serde_json::{Map, Value as Json, json};

mod color;
mod grid;
mod relayout;

use color::Color;

/// The threads of a warp.
const WARP: usize = 32;

/// The answer to a request.
pub fn call(request: &str) -> String {
    let answer = match serde_json::from_str::<Map<String, Json>>(request) {
        Ok(fields) => Request(fields).answer(),
        Err(error) => Err(Refusal::request(format!("the request is not a JSON object: {error}"))),
    };
    let mut answer = answer.unwrap_or_else(|Refusal(answer)| answer);
    let mut all = Map::new();
    all.insert("schema".into(), SCHEMA.into());
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("schema");
        all.append(fields);
    }
    Json::Object(all).to_string()
}

/// An answer that says what is wrong.
struct Refusal(Json);

impl Refusal {
    /// The request itself is wrong, not what it is about.
    fn request(message: String) -> Self {
        Self(json!({ "errors": [{ "code": "request", "message": message, "help": "" }] }))
    }

    fn text(field: &str, text: &str, error: &ParseError) -> Self {
        let mut answer = problems::to_json(text, error);
        answer["field"] = field.into();
        Self(answer)
    }
}

type Answer = Result<Json, Refusal>;

struct Request(Map<String, Json>);

impl Request {
    fn answer(&self) -> Answer {
        match self.string("op")? {
            "eval" => self.eval(),
            "show" => {
                let name = self.optional("color")?;
                let color = Color::of_name(name).ok_or_else(|| {
                    let names = Color::names();
                    Refusal::request(format!("there is no color {name:?}; there are {names}"))
                })?;
                self.about("text", |value, element| grid::grid(value, element, color))
            }
            "cell" => {
                let cell = self.0.get("cell").and_then(Json::as_u64).unwrap_or(0);
                let cell = usize::try_from(cell).unwrap_or(usize::MAX);
                let others = self.0.get("others").and_then(Json::as_array);
                let others: Vec<Value> = others
                    .map_or(&[][..], Vec::as_slice)
                    .iter()
                    .map(|text| subject::read(text.as_str().unwrap_or_default()))
                    .map(|value| value.unwrap_or(Value::Truth(false)))
                    .collect();
                self.about("text", |value, element| grid::cell(value, &others, element, cell))
            }
            "access" => self.access(),
            "explain" => Ok(Derivation::of(self.string("text")?).to_json()),
            "diff" => {
                let from = self.value("from")?;
                self.about("to", |to, element| Ok(Difference::of(&from, to, element)?.to_json()))
            }
            "relayout" => {
                let from = self.value("from")?;
                self.about("to", |to, element| relayout::relayout(&from, to, element))
            }
            "complete" => Ok(self.complete()?),
            "entry" => self.entry(),
            op => Err(Refusal::request(format!("there is no op {op:?}"))),
        }
    }

    fn string(&self, field: &str) -> Result<&str, Refusal> {
        let missing = || Refusal::request(format!("the field {field:?} is missing, or no string"));
        self.0.get(field).and_then(Json::as_str).ok_or_else(missing)
    }

    /// Empty where the field is left out.
    fn optional(&self, field: &str) -> Result<&str, Refusal> {
        if self.0.get(field).is_none_or(Json::is_null) { Ok("") } else { self.string(field) }
    }

    /// The value of a text in a field.
    fn value(&self, field: &str) -> Result<Value, Refusal> {
        let text = self.string(field)?;
        subject::read(text).map_err(|error| Refusal::text(field, text, &error))
    }

    fn element(&self) -> Result<Option<ElementType>, Refusal> {
        let name = self.optional("dtype")?;
        match ElementType::of_name(name) {
            None if !name.is_empty() => {
                Err(Refusal::request(format!("there is no element type {name:?}")))
            }
            element => Ok(element),
        }
    }

    /// What there is to say about the text in a field.
    fn about(
        &self,
        field: &str,
        answer: impl FnOnce(&Value, Option<ElementType>) -> Result<Json, error::LayoutError>,
    ) -> Answer {
        let (text, element) = (self.string(field)?, self.element()?);
        let value = self.value(field)?;
        subject::at(text, answer(&value, element))
            .map_err(|error| Refusal::text(field, text, &error))
    }

    fn eval(&self) -> Answer {
        let text = self.string("text")?;
        let evaluated = eval(text).map_err(|error| Refusal::text("text", text, &error))?;
        // A number is an answer here, and no layout.
        let printed = evaluated.to_string();
        let element = self.element()?;
        let value = self.value("text")?;
        let facts = Facts::of(&value).map(|facts| facts.to_json());
        Ok(json!({
            "text": printed,
            "kind": evaluated.describe(),
            "facts": facts.unwrap_or(Json::Null),
            "notations": notations(&value, element),
        }))
    }

    /// Without `threads`, thread `t` of a warp accesses the element with index `t`.
    fn access(&self) -> Answer {
        let name = self.optional("memory")?;
        let memory = Memory::of_name(if name.is_empty() { "gpu-shared" } else { name });
        let memory = memory.ok_or_else(|| {
            let names: Vec<_> = Memory::ALL.iter().map(|memory| memory.name).collect();
            Refusal::request(format!("there is no memory {name:?}; there are {}", names.join(", ")))
        })?;
        let vector = match self.optional("vector")? {
            "" => None,
            text => match text.trim().parse() {
                Ok(vector @ 1..) => Some(vector),
                _ => return Err(Refusal::request(format!("a vector of {text:?} elements"))),
            },
        };
        let text = self.string("text")?;
        let element = self.element()?;
        let value = self.value("text")?;
        let refuse = |error| Refusal::text("text", text, &error);
        let layout = subject::at(text, offsets_of(&value)).map_err(refuse)?;
        let threads = match self.optional("threads")? {
            "" => {
                let warp = layout.size().min(WARP);
                let values = (layout.size() / warp.max(1)).clamp(1, MOST_ACCESSES / WARP);
                format!("({warp},{values}):(1,{warp})")
            }
            text => text.into(),
        };
        let field = |error: ParseError| Refusal::text("threads", &threads, &error);
        let tv = subject::read(&threads).map_err(field)?;
        let accesses = subject::at(&threads, Threads::thread_value(&tv, &layout)).map_err(field)?;
        let element = convert::element_of(&value).or(element).unwrap_or(ElementType::F32);
        let request = access::Request { layout, element, memory, vector };
        let analysis =
            subject::at(text, Analysis::new(&request, vec![accesses])).map_err(refuse)?;
        Ok(analysis.to_json())
    }

    fn complete(&self) -> Answer {
        let prefix = self.string("prefix")?;
        let starting = OPERATIONS.iter().filter(|operation| operation.name.starts_with(prefix));
        let operations: Vec<Json> = starting
            .map(|operation| {
                let params: Vec<_> = operation.params.iter().map(|param| param.short()).collect();
                json!({
                    "name": operation.name,
                    "params": params,
                    "least": operation.least,
                    "summary": operation.summary,
                })
            })
            .collect();
        Ok(json!({ "operations": operations }))
    }

    fn entry(&self) -> Answer {
        let code = self.string("code")?;
        let entry = error::entry(code)
            .ok_or_else(|| Refusal::request(format!("there is no error {code:?}")))?;
        let (example, cause) = match &entry.example {
            Example::Expression(text) => (json!(text), Json::Null),
            Example::Elsewhere(cause, error) => {
                (Json::Null, json!({ "text": cause, "message": error.message().as_str() }))
            }
        };
        Ok(json!({
            "code": entry.code,
            "title": entry.title,
            "meaning": entry.meaning,
            "example": example,
            "cause": cause,
        }))
    }
}

/// The value in the notations of the four systems, or why it has none.
fn notations(value: &Value, element: Option<ElementType>) -> Vec<Json> {
    const SHOWN: [(Notation, &str); 5] = [
        (Notation::Cute, "CuTe"),
        (Notation::Morello, "Morello"),
        (Notation::Spyre, "Spyre"),
        (Notation::Tenstorrent, "Tenstorrent"),
        (Notation::Rust, "Rust"),
    ];
    let said = |(notation, title): (Notation, &str)| match convert::say(value, notation, element) {
        Ok(text) => json!({ "name": notation.name(), "title": title, "text": text }),
        Err(error) => json!({
            "name": notation.name(),
            "title": title,
            "code": error.code(),
            "message": error.message().as_str(),
        }),
    };
    SHOWN.map(said).into()
}
