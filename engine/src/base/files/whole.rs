//! Files that appear whole or not at all: a crash leaves the old file or the new one.
//!
//! [`replace`] is for the program's own files. [`save`] is for a path that the user named as an output: there
//! `-` is standard output, and the files of a table are refused.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::super::{Error, Result};

/// The name that stands for standard output.
pub const STANDARD_OUTPUT: &str = "-";

/// As many symbolic links in a row as the system itself follows.
const MOST_LINKS: usize = 40;

/// The files of a table's folder, beside its `manifest.json`.
const TABLE_FILES: [&str; 5] = ["manifest.json", "journal", "lock", "outcomes.npy", "values.npy"];

/// What fills a file.
type Fill<'a> = &'a mut dyn FnMut(&mut dyn Write) -> Result<()>;

/// Whether `path` is the name of standard output.
pub fn is_standard_output(path: &Path) -> bool {
    path == Path::new(STANDARD_OUTPUT)
}

/// Writes `bytes` to the output that the user named, see [`save_with`].
pub fn save(path: &Path, bytes: &[u8]) -> Result<()> {
    save_with(path, &mut |out| out.write_all(bytes).map_err(Error::io("cannot write", path)))
}

/// Writes what `fill` writes to the output that the user named: a file as by [`replace_with`], or standard
/// output where it is `-`. A file of a table is refused.
pub fn save_with(path: &Path, fill: Fill<'_>) -> Result<()> {
    if is_standard_output(path) {
        return write_through(std::io::stdout().lock(), Path::new("standard output"), fill);
    }
    refuse_table_file(path)?;
    replace_with(path, fill)
}

/// Replaces the file `path` by `bytes`, see [`replace_with`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_with(path, &mut |out| out.write_all(bytes).map_err(Error::io("cannot write", path)))
}

/// Replaces the file `path` by what `fill` writes: into a new file beside it, which is synced and then
/// renamed.
///
/// A symbolic link is kept, and what it points to is replaced. What is not a plain file, such as a device or
/// a pipe, is never replaced but written to.
pub fn replace_with(path: &Path, fill: Fill<'_>) -> Result<()> {
    let cannot_write = || Error::io("cannot write", path);
    let (target, existing) = match target_of(path).map_err(cannot_write())? {
        Target::Stream(file) => return write_through(file, path, fill),
        Target::File { path, permissions } => (path, permissions),
    };
    let mut prefix = std::ffi::OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".");
    let folder = folder_of(&target);
    // A random name that did not exist: neither a file of the user nor a link that somebody has laid is
    // written to.
    let temporary = tempfile::Builder::new()
        .prefix(&prefix)
        .suffix(".tmp")
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
        .map_err(Error::io("cannot create", path))?;
    let mut out = BufWriter::new(temporary);
    fill(&mut out)?;
    let temporary = out.into_inner().map_err(|error| cannot_write()(error.into_error()))?;
    if let Some(permissions) = existing {
        // Where they cannot be kept, the file has those of a new one.
        let _ = temporary.as_file().set_permissions(permissions);
    }
    temporary.as_file().sync_all().map_err(cannot_write())?;
    temporary.persist(&target).map_err(|error| cannot_write()(error.error))?;
    sync_folder(folder).map_err(cannot_write())
}

/// Whether the output `path` could be written, as far as can be said without writing: for work that takes
/// long before it writes.
pub fn check_output(path: &Path) -> Result<()> {
    if is_standard_output(path) {
        return Ok(());
    }
    refuse_table_file(path)?;
    let check = || {
        let Some(target) = follow_links(path)? else { return Ok(()) };
        match fs::metadata(&target) {
            Ok(existing) if existing.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(_) => Ok(()),
            Err(_) if !fs::metadata(folder_of(&target))?.is_dir() => Err(ErrorKind::NotADirectory.into()),
            Err(_) => Ok(()),
        }
    };
    check().map_err(Error::io("cannot write", path))
}

/// Refuses a path that leads to a file of a table, which only the table itself may write.
pub fn refuse_table_file(path: &Path) -> Result<()> {
    // A manifest is less than this.
    const MOST: u64 = 16 << 20;
    let Ok(Some(target)) = follow_links(path) else { return Ok(()) };
    let is_of_a_table = |name: &OsStr| {
        TABLE_FILES.iter().any(|own| name == *own || is_remainder_of(name, own))
            && super::read(&folder_of(&target).join("manifest.json"), MOST)
                .is_ok_and(|text| text.windows(13).any(|word| word == b"nimwave-table"))
    };
    if target.file_name().is_some_and(is_of_a_table) {
        return Err(Error::Usage(format!(
            "{} is a file of a table, which this would destroy; choose another name",
            path.display()
        )));
    }
    Ok(())
}

/// Whether a file named `name` is what a killed process has left of writing the file `of`.
pub fn is_remainder_of(name: &OsStr, of: &str) -> bool {
    let name = name.to_string_lossy();
    let random = name
        .strip_prefix('.')
        .and_then(|rest| rest.strip_prefix(of))
        .and_then(|rest| rest.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp")));
    random.is_some_and(|random| !random.is_empty() && !random.contains('.'))
}

/// Gives the whole file `from` the name `to`, durably: for files that grow under another name.
pub fn rename_synced(from: &Path, to: &Path) -> std::io::Result<()> {
    File::open(from)?.sync_all()?;
    fs::rename(from, to)?;
    sync_folder(folder_of(to))
}

/// Makes a rename or a new file in `folder` durable, where the system can do that.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    match File::open(folder) {
        // A folder may be open for writing only.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(()),
        other => sync_open_folder(&other?),
    }
}

/// Makes a rename or a new file in the open `folder` durable, where the system can do that.
pub(super) fn sync_open_folder(folder: &File) -> std::io::Result<()> {
    match folder.sync_all() {
        // Some file systems cannot sync a folder.
        Err(error)
            if [ErrorKind::InvalidInput, ErrorKind::Unsupported, ErrorKind::PermissionDenied]
                .contains(&error.kind()) =>
        {
            Ok(())
        }
        other => other,
    }
}

/// What a path leads to.
enum Target {
    /// A plain file, or none yet.
    File { path: PathBuf, permissions: Option<Permissions> },
    /// Something that is open for writing and must not be replaced.
    Stream(File),
}

fn target_of(path: &Path) -> std::io::Result<Target> {
    let existing = match fs::metadata(path) {
        Ok(existing) if existing.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        Ok(existing) => Some(existing),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let stream = |append| OpenOptions::new().write(true).append(append).open(path).map(Target::Stream);
    match (existing, follow_links(path)?) {
        (Some(existing), _) if !existing.is_file() => stream(false),
        (existing, Some(path)) => {
            Ok(Target::File { path, permissions: existing.map(|file| file.permissions()) })
        }
        (_, None) => stream(true),
    }
}

/// The path behind the symbolic links of `path`, which need not exist; `None` for a link of `/proc`, to which
/// `/dev/stdout` leads: it stands for an open file, and a new file in its place would not reach the reader.
fn follow_links(path: &Path) -> std::io::Result<Option<PathBuf>> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&path) else { return Ok(Some(path)) };
        if fs::canonicalize(folder_of(&path)).is_ok_and(|folder| folder.starts_with("/proc")) {
            return Ok(None);
        }
        path = folder_of(&path).join(next);
    }
    Err(std::io::Error::other("too many symbolic links"))
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes to what is open already; `name` is named in errors. A reader that has seen enough, such as `head`,
/// is not an error.
fn write_through(stream: impl Write, name: &Path, fill: Fill<'_>) -> Result<()> {
    let mut out = BufWriter::new(stream);
    let result = fill(&mut out).and_then(|()| out.flush().map_err(Error::io("cannot write", name)));
    // What is left in the buffer has nowhere to go.
    let _ = out.into_parts();
    match result {
        Err(Error::Io { error, .. }) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        Err(Error::Io { action, error, .. }) => Err(Error::io(action, name)(error)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        save(&path, b"first").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let failed = save_with(&path, &mut |out| {
            out.write_all(b"half").unwrap();
            Err(Error::Usage("no more".into()))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"first");
        save(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["out"]);
    }

    #[test]
    fn a_file_of_the_user_that_looks_temporary_survives() {
        let folder = tempfile::tempdir().unwrap();
        let (path, own) = (folder.path().join("out"), folder.path().join("out.tmp"));
        fs::write(&own, b"mine").unwrap();
        let elsewhere = folder.path().join("elsewhere");
        fs::write(&elsewhere, b"safe").unwrap();
        symlink(&elsewhere, folder.path().join("out.part")).unwrap();
        save(&path, b"new").unwrap();
        assert_eq!(fs::read(&own).unwrap(), b"mine");
        assert_eq!(fs::read(&elsewhere).unwrap(), b"safe");
        assert_eq!(names(folder.path()), ["elsewhere", "out", "out.part", "out.tmp"]);
    }

    #[test]
    fn a_symbolic_link_is_kept_and_its_target_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("data")).unwrap();
        // Relative, in two steps, and to a file that is not there yet.
        symlink("second", at("first")).unwrap();
        symlink("data/file", at("second")).unwrap();
        for text in ["one", "two"] {
            save(&at("first"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("data/file")).unwrap(), text);
        }
        assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(at("second")).unwrap().is_symlink());
        symlink("loop", at("loop")).unwrap();
        assert!(save(&at("loop"), b"").is_err());
    }

    #[test]
    fn a_pipe_is_written_to_and_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
        symlink("pipe", &link).unwrap();
        for path in [&pipe, &link] {
            check_output(path).unwrap();
            let reader = std::thread::spawn({
                let pipe = pipe.clone();
                move || fs::read_to_string(pipe).unwrap()
            });
            save(path, b"through").unwrap();
            assert_eq!(reader.join().unwrap(), "through");
        }
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        assert_eq!(names(folder.path()), ["link", "pipe"]);
    }

    #[test]
    fn a_reader_that_closes_its_pipe_is_not_an_error() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let much = vec![b'x'; 1 << 20];
        let mut fill =
            |out: &mut dyn Write| out.write_all(&much).map_err(Error::io("cannot write", Path::new("-")));
        write_through(writer, Path::new("-"), &mut fill).unwrap();
    }

    #[test]
    fn the_files_of_a_table_are_refused_as_outputs() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        save(&at("values.npy"), b"no table yet").unwrap();
        fs::write(at("manifest.json"), "{\"format\": \"nimwave-table\"}").unwrap();
        symlink("values.npy", at("link")).unwrap();
        for name in TABLE_FILES.into_iter().chain(["link", ".manifest.json.x7Yz.tmp"]) {
            let error = save(&at(name), b"x").unwrap_err().to_string();
            assert!(error.contains(name) && error.contains("of a table"), "{error}");
            assert!(check_output(&at(name)).is_err(), "{name}");
        }
        assert_eq!(fs::read(at("values.npy")).unwrap(), b"no table yet");
        save(&at("picture.png"), b"x").unwrap();
    }

    #[test]
    fn what_cannot_be_written_is_told_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), b"").unwrap();
        check_output(Path::new("-")).unwrap();
        check_output(&at("new")).unwrap();
        check_output(Path::new("new-in-the-working-folder")).unwrap();
        for path in [at("missing/new"), at("file/new"), folder.path().to_path_buf()] {
            assert!(check_output(&path).is_err() && save(&path, b"").is_err(), "{}", path.display());
        }
    }
}
