//! Requests and answers: `call(request) -> answer`, both JSON.
//!
//! | `op` | other fields | answer |
//! |---|---|---|
//! | `names` | | the available element types, colours, views and memories |
//! | `eval` | `text`, `dtype` | the value: `text`, `facts`, `notations` |
//! | `show` | `text`, `dtype`, `view`, `color`, `memory`, `threads` | a [picture](layout_view::picture::json) |
//! | `cell` | `text`, `dtype`, `memory`, `at`, `others` | details of the element at a coordinate |
//! | `explain` | `text` | each evaluation step, up to the first error |
//! | `access` | `text`, `dtype`, `memory`, `threads`, `vector` | the cost of accesses |
//! | `diff` | `from`, `to`, `dtype` | where two layouts differ |
//! | `relayout` | `from`, `to`, `dtype` | the copy plan and its moves, in order |
//! | `export` | `format`, and the fields of `show` | the text of a file |
//! | `complete` | `prefix` | the operations whose names start with `prefix` |
//! | `entry` | `code` | the output of `layout explain CODE` |
//!
//! Each answer has `"schema": 1`. An error is `{"schema": 1, "errors": [..]}` in the form of
//! [`problems`], with the name of the invalid `"field"` of the request.

use layout_core::devices::ElementType;
use layout_core::error::{self, Example, LayoutError};
use layout_core::text::{OPERATIONS, ParseError, Value};
use layout_view::access::{self, Analysis, MOST_ACCESSES, Memory, Threads, Written, offsets_of};
use layout_view::convert::{self, Notation};
use layout_view::derive::Derivation;
use layout_view::difference::Difference;
use layout_view::facts::Facts;
use layout_view::notation::{self, eval};
use layout_view::picture::{ColorBy, View};
use layout_view::{SCHEMA, problems, subject};
use serde_json::{Map, Value as Json, json};

mod drawing;
mod export;
mod relayout;

/// Number of threads of a warp.
const WARP_SIZE: usize = 32;

/// Answers a request.
pub fn call(request: &str) -> String {
    let answer = match serde_json::from_str::<Map<String, Json>>(request) {
        Ok(fields) => Request(fields).answer(),
        Err(error) => {
            Err(ErrorResponse::request(format!("the request is not a JSON object: {error}")))
        }
    };
    match answer {
        Ok(text) => text,
        Err(ErrorResponse(errors)) => with_schema(errors),
    }
}

/// Adds the schema to an answer and converts it to text.
fn with_schema(mut answer: Json) -> String {
    answer["schema"] = SCHEMA.into();
    answer.to_string()
}

/// An error answer.
struct ErrorResponse(Json);

impl ErrorResponse {
    /// An error in the request itself, not in the layout it is about.
    fn request(message: String) -> Self {
        Self(json!({ "errors": [{ "code": "request", "message": message, "help": "" }] }))
    }

    fn text(field: &str, text: &str, error: &ParseError) -> Self {
        let mut answer = problems::to_json(text, error);
        answer["field"] = field.into();
        Self(answer)
    }
}

type Response = Result<String, ErrorResponse>;

struct Request(Map<String, Json>);

impl Request {
    fn answer(&self) -> Response {
        let diff = |from: &Value, to: &Value, element| {
            Difference::of(from, to, element).map(|difference| difference.to_json())
        };
        match self.string("op")? {
            "names" => Ok(with_schema(names())),
            "eval" => self.eval().map(with_schema),
            "show" => {
                let request = self.picture_request()?;
                let picture =
                    self.with_value("text", |value, _| drawing::picture(value, request))?;
                Ok(picture.to_json())
            }
            "export" => {
                let (format, request) = (self.string("format")?, self.picture_request()?);
                let format = export::Format::of_name(format).ok_or_else(|| {
                    ErrorResponse::request(format!("there is no format {format:?}"))
                })?;
                let file = |value: &Value, _| export::file(value, format, request);
                Ok(with_schema(json!({ "file": self.with_value("text", file)? })))
            }
            "cell" => self.cell().map(with_schema),
            "explain" => Ok(Derivation::of(self.string("text")?).to_json().to_string()),
            "access" => self.access().map(with_schema),
            "diff" => self.pair(diff).map(with_schema),
            "relayout" => self.pair(relayout::relayout).map(with_schema),
            "complete" => self.complete().map(with_schema),
            "entry" => self.entry().map(with_schema),
            op => Err(ErrorResponse::request(format!("there is no op {op:?}"))),
        }
    }

    fn string(&self, field: &str) -> Result<&str, ErrorResponse> {
        let missing =
            || ErrorResponse::request(format!("the field {field:?} is missing or not a string"));
        self.0.get(field).and_then(Json::as_str).ok_or_else(missing)
    }

    /// A string field. Empty if the field is missing.
    fn optional(&self, field: &str) -> Result<&str, ErrorResponse> {
        if self.0.get(field).is_none_or(Json::is_null) { Ok("") } else { self.string(field) }
    }

    /// The value of the notation in a field.
    fn value(&self, field: &str) -> Result<Value, ErrorResponse> {
        let text = self.string(field)?;
        notation::layout(text).map_err(|error| ErrorResponse::text(field, text, &error))
    }

    fn element(&self) -> Result<Option<ElementType>, ErrorResponse> {
        let name = self.optional("dtype")?;
        match ElementType::of_name(name) {
            None if !name.is_empty() => {
                Err(ErrorResponse::request(format!("there is no element type {name:?}")))
            }
            element => Ok(element),
        }
    }

    /// Applies a function to the value of the notation in a field.
    fn with_value<T>(
        &self,
        field: &str,
        answer: impl FnOnce(&Value, Option<ElementType>) -> Result<T, LayoutError>,
    ) -> Result<T, ErrorResponse> {
        let (text, element) = (self.string(field)?, self.element()?);
        let value = self.value(field)?;
        subject::at(text, answer(&value, element))
            .map_err(|error| ErrorResponse::text(field, text, &error))
    }

    /// Applies a function to the values of two layouts.
    fn pair(
        &self,
        answer: impl FnOnce(&Value, &Value, Option<ElementType>) -> Result<Json, LayoutError>,
    ) -> Result<Json, ErrorResponse> {
        let from = self.value("from")?;
        self.with_value("to", |to, element| answer(&from, to, element))
    }

    fn memory(&self) -> Result<Memory, ErrorResponse> {
        let name = self.optional("memory")?;
        let memory = Memory::of_name(if name.is_empty() { "gpu-shared" } else { name });
        memory.ok_or_else(|| ErrorResponse::request(format!("there is no memory {name:?}")))
    }

    /// Options of a picture. The threads are read only if they determine the colours.
    fn picture_request(&self) -> Result<drawing::PictureRequest, ErrorResponse> {
        let color_by = match self.optional("color")? {
            "" => ColorBy::Auto,
            name => name.parse().map_err(ErrorResponse::request)?,
        };
        let view = match self.optional("view")? {
            "" => None,
            name => Some(name.parse::<View>().map_err(ErrorResponse::request)?),
        };
        let threads = match color_by {
            ColorBy::Thread => {
                let threads = self.threads(&self.value("text")?)?;
                let field = if self.optional("threads")?.is_empty() { "text" } else { "threads" };
                Some(self.threads_over(&threads, field)?)
            }
            _ => None,
        };
        let (element, memory) = (self.element()?, self.memory()?);
        Ok(drawing::PictureRequest { view, color_by, element, memory, threads })
    }

    /// The thread layout of the request. The default is one warp: thread `t` accesses the elements
    /// `t`, `t + 32`, ..
    fn threads(&self, value: &Value) -> Result<String, ErrorResponse> {
        let text = self.optional("threads")?.trim();
        if !text.is_empty() {
            return Ok(text.to_owned());
        }
        let layout = offsets_of(value);
        let layout = subject::at(self.string("text")?, layout).map_err(|error| {
            ErrorResponse::text("text", self.string("text").unwrap_or_default(), &error)
        })?;
        let warp = layout.size().min(WARP_SIZE);
        let values = (layout.size() / warp.max(1)).clamp(1, MOST_ACCESSES / WARP_SIZE);
        Ok(format!("({warp},{values}):(1,{warp})"))
    }

    /// The threads applied to the layout.
    fn threads_over(&self, threads: &str, field: &str) -> Result<Threads, ErrorResponse> {
        let layout = self.with_value("text", |value, _| offsets_of(value))?;
        Written::ThreadValue(threads)
            .threads(&layout)
            .map_err(|wrong| ErrorResponse::text(field, wrong.text, &wrong.error))
    }

    fn cell(&self) -> Result<Json, ErrorResponse> {
        let number = |one: &Json| usize::try_from(one.as_u64()?).ok();
        let at = self.0.get("at").and_then(Json::as_array);
        let at: Option<Vec<usize>> = at.and_then(|at| at.iter().map(number).collect());
        let at = at
            .ok_or_else(|| ErrorResponse::request("the field \"at\" is not a coordinate".into()))?;
        let others = self.0.get("others").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let others = others.iter().filter_map(Json::as_str);
        // A text without a valid value still needs an entry, which has no value at the coordinate.
        let others: Vec<Value> =
            others.map(|text| notation::layout(text).unwrap_or(Value::Truth(false))).collect();
        let memory = self.memory()?;
        self.with_value("text", |value, element| {
            drawing::cell(value, &others, element, &memory, &at)
        })
    }

    fn eval(&self) -> Result<Json, ErrorResponse> {
        let text = self.string("text")?;
        let evaluated = eval(text).map_err(|error| ErrorResponse::text("text", text, &error))?;
        // An integer is a valid result of `eval`, but not a layout.
        let printed = evaluated.to_string();
        let value = self.value("text")?;
        // If the notation names its element type, the `dtype` of the request is not read.
        let named = convert::element_of(&value);
        let element = if named.is_some() { None } else { self.element()? };
        let facts = Facts::of(&value).map(|facts| facts.to_json());
        Ok(json!({
            "text": printed,
            "kind": evaluated.describe(),
            "dtype": named.map(ElementType::name),
            "facts": facts.unwrap_or(Json::Null),
            "notations": notations(&value, element),
        }))
    }

    fn access(&self) -> Result<Json, ErrorResponse> {
        let memory = self.memory()?;
        let vector = match self.optional("vector")?.trim() {
            "" => None,
            text => match text.parse() {
                Ok(vector @ 1..) => Some(vector),
                _ => return Err(ErrorResponse::request(format!("a vector of {text:?} elements"))),
            },
        };
        let value = self.value("text")?;
        let threads = self.threads_over(&self.threads(&value)?, "threads")?;
        self.with_value("text", |value, element| {
            let element = convert::element_of(value).or(element).unwrap_or(ElementType::F32);
            let layout = offsets_of(value)?;
            let request = access::Request { layout, element, memory, vector };
            Ok(Analysis::new(&request, vec![threads])?.to_json())
        })
    }

    fn complete(&self) -> Result<Json, ErrorResponse> {
        let prefix = self.string("prefix")?;
        let matching = OPERATIONS.iter().filter(|operation| operation.name.starts_with(prefix));
        let operations: Vec<Json> = matching
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

    fn entry(&self) -> Result<Json, ErrorResponse> {
        let code = self.string("code")?;
        let entry = error::entry(code)
            .ok_or_else(|| ErrorResponse::request(format!("there is no error {code:?}")))?;
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

/// The valid names of fields.
fn names() -> Json {
    let colors = ColorBy::ALL.iter().map(|color| color.name());
    let views = View::ALL.iter().map(|view| view.name());
    let memories = Memory::ALL.iter().map(|memory| memory.name);
    json!({
        "colors": colors.collect::<Vec<_>>(),
        "views": views.collect::<Vec<_>>(),
        "memories": memories.collect::<Vec<_>>(),
        "formats": export::Format::ALL.map(|(name, _)| name),
    })
}

/// The value in the notations of the four systems. Where there is no such notation, the reason.
fn notations(value: &Value, element: Option<ElementType>) -> Vec<Json> {
    const NOTATIONS: [(Notation, &str); 5] = [
        (Notation::Cute, "CuTe"),
        (Notation::Morello, "Morello"),
        (Notation::Spyre, "Spyre"),
        (Notation::Tenstorrent, "Tenstorrent"),
        (Notation::Rust, "Rust"),
    ];
    let notation_entry =
        |(notation, title): (Notation, &str)| match convert::say(value, notation, element) {
            Ok(text) => json!({ "name": notation.name(), "title": title, "text": text }),
            Err(error) => json!({
                "name": notation.name(),
                "title": title,
                "code": error.code(),
                "message": error.message().as_str(),
            }),
        };
    NOTATIONS.map(notation_entry).into()
}
