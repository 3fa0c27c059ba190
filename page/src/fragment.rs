//! The state of the page in the fragment of its URL.

/// URL fragment, without `#`, of a page with these fields.
///
/// The page reads `name=value` pairs separated by `&`. Characters that are valid in a fragment are
/// not escaped, so layouts stay readable.
///
/// ```
/// use static_layout_page::fragment::of;
/// assert_eq!(of(&[("e", "(4,8):(8,1)")]), "e=(4,8):(8,1)");
/// assert_eq!(of(&[("e", "<3, 4>"), ("f", "a&b=ü")]), "e=%3C3,%204%3E&f=a%26b%3D%C3%BC");
/// ```
pub fn of(fields: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in fields {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(name);
        text.push('=');
        for byte in value.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~!$'()*,;:@/?".contains(&byte) {
                text.push(char::from(byte));
            } else {
                text.push_str(&format!("%{byte:02X}"));
            }
        }
    }
    text
}
