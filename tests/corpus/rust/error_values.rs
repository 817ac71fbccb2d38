//! Words in error values, error types, logs and diagnostics.

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("can't open `{path}`: {reason}")]
    Open { path: String, reason: String },
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{0}")]
    Other(String),
    #[cfg_attr(feature = "std", error("only with std"))]
    Std,
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank(r) => write!(f, "rank {r} is too high"),
            Self::Empty => f.write_str("empty shape"),
            Self::Raw(r) => write!(f, "{r}"),
        }
    }
}

impl Debug for ShapeError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        writeln!(f, "ShapeError of {}", self.0)
    }
}

impl Display for Unit {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "ms")
    }
}

fn values(x: Option<u8>) -> Result<u8, LoadError> {
    write!(out, "no error text")?;
    let a = x.ok_or("nothing given")?;
    let b = x.ok_or_else(|| LoadError::Other(format!("nothing for {a}")))?;
    let c = read().map_err(|e| {
        log::error!("reading failed: {e}");
        LoadError::Other("read failed".to_string())
    })?;
    let d = read().context("while reading")?;
    if a > b {
        return Err(anyhow!("a is larger: {a}"));
    }
    if c > d {
        return Err(ConfigError::Invalid { reason: "c is larger".into() }.into());
    }
    match x {
        Err(e) => warn!(target: "load", "skipped: {e}"),
        Err(LoadError::Io(e)) => tracing::warn!(code = 3, %e, "io {e}"),
        _ => error!("{e}"),
    }
    ensure!(a == b, "a and b differ");
    ensure!(a == c);
    bail!("no way out of {}", a);
    let e = read().map_err(|e| (b"bytes", e))?;
    Err("plain words")
}

fn macros(span: Span) -> TokenStream {
    let error = syn::Error::new(span, "expected a struct");
    let other = Error::new_spanned(&item, format!("`{}` is no field", item));
    quote! {
        compile_error!("generated");
        None::<u8>.expect("generated too");
    }
}

#[cfg(not(feature = "std"))]
compile_error!("std is needed");
