import Foundation

/// The file of a store that is being written.
final class NewStoreFile {
    private let isReplacing: Bool
    private var staged: StagedFile?
    /// Where it goes.
    let url: URL

    /// Begins a file with mode 0600; refuses one that exists unless told otherwise, and one that a
    /// database beside it would take for its own.
    init(_ url: URL, replacing: Bool) throws(LegacyStoreError) {
        if FileFault.exists(url), !replacing { throw .notWritable(url, FileFault(EEXIST)) }
        try CompanionFile.requireNone(at: url)
        self.url = url
        isReplacing = replacing
        staged = try StagedFile(url)
    }

    /// The file while it is open; writing after the end is an error.
    var open: StagedFile {
        get throws(LegacyStoreError) {
            guard let staged else { throw .notWritable("\(url.lastPathComponent) is finished already.") }
            return staged
        }
    }

    /// Appends text.
    func write(_ text: String) throws(LegacyStoreError) {
        try open.write(Array(text.utf8))
    }

    /// Appends bytes.
    func write(_ bytes: Data) throws(LegacyStoreError) {
        try open.write(Array(bytes))
    }

    /// Puts the file in its place.
    func finish() throws(LegacyStoreError) {
        try open.commit(replacing: isReplacing)
        staged = nil
    }
}
