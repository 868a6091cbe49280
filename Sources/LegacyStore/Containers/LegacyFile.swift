public import Foundation

/// Legacy stores in files, recognised by what is in them, whatever they are called.
public enum LegacyFile {
    /// Opens a keychain database, a property list, JSON lines, a legacy JSON document, a migration export or a list of
    /// records of the new SDK.
    ///
    /// Reads no more than it takes to tell which, and changes nothing. Refuses what is not there, may not be
    /// read, is something else, or has no place for our records: a keychain or JSON lines without any are no
    /// legacy store any more, while property lists and JSON documents that name our services may be empty.
    public static func open(_ url: URL) throws(LegacyStoreError) -> any LegacySource {
        try requireFile(url)
        guard let source = try source(url) else {
            throw .notALegacyStore("\(url.lastPathComponent) is not a store of the legacy SDK.")
        }
        return source
    }

    private static func source(_ url: URL) throws(LegacyStoreError) -> (any LegacySource)? {
        switch try LegacyFormat(of: url) {
        case .sqlite: return try SQLiteLegacySource(url)
        case .binaryPropertyList: return try BinaryPropertyListSource(url)
        case .xml: return try XMLPropertyListSource(url)
        case .text:
            if let document = try JSONDocumentSource(url) { return document }
            return try JSONLinesSource(url)
        }
    }

    private static func requireFile(_ url: URL) throws(LegacyStoreError) {
        let stamp = try FileStamp.reading(url)
        let name = url.lastPathComponent
        guard !stamp.isFolder else { throw .unreadable("\(name) is a folder.") }
        guard stamp.isRegularFile else { throw .unreadable("\(name) is not a regular file.") }
        guard stamp.size > 0 else { throw .holdsNothing(url) }
    }
}
