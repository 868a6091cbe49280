public import Foundation
public import LegacyStore
import PushBridgeFiles

/// Opens legacy stores in files.
///
/// The files are recognised by their content and not by their names.
public enum LegacyFile {
    /// The maximum size in bytes of a property list or a JSON document, because such a document is read into
    /// memory.
    static let largestDocument = 256 * 1024 * 1024
    /// The maximum size in bytes of a document that is read a second time to find warnings.
    private static let largestScanned = 32 * 1024 * 1024

    /// Opens a keychain database, a property list, JSON lines, a legacy JSON document, a migration export, a list of
    /// records of the successor SDK, or a dump of a keychain in JSON or a property list.
    ///
    /// This method changes nothing, with one exception: if a removal renamed a document and was then killed, this
    /// method restores the document's name.
    ///
    /// A keychain or a JSON lines file without records of the SDKs is not a legacy store. A property list or a JSON
    /// document that has the SDKs' services may be empty.
    ///
    /// - Parameter url: The file.
    /// - Returns: The store.
    /// - Throws: `LegacyStoreError` with the code `unreadable` if the file is missing, not a regular file, or
    ///   not readable; `notALegacyStore` if it has another format or contains no records of the SDKs; `locked` if
    ///   another program is using it; and `changed` if it was changed during the call.
    public static func open(_ url: URL) throws(LegacyStoreError) -> any LegacySource {
        try open(url, mayBeEmpty: false)
    }

    /// Opens a store like ``open(_:)``.
    ///
    /// With `mayBeEmpty`, this method also opens files that a removal can leave: an empty file, and a
    /// keychain or a JSON lines file without records of the SDKs.
    package static func open(_ url: URL, mayBeEmpty: Bool) throws(LegacyStoreError) -> any LegacySource {
        let status = try reading(url) {
            try LeftOver.restore(url)
            return try FileStatus(of: url)
        }
        let name = url.relativePath
        guard status.kind != .folder else {
            throw .unreadable("\(name) is a folder; specify the store in it.")
        }
        guard status.kind == .file else { throw .unreadable("\(name) is not a regular file.") }
        do throws(LegacyStoreError) {
            let found: (any LegacySource)?
            do throws(LegacyStoreError) {
                found = try source(url, status, mayBeEmpty: mayBeEmpty)
            } catch  where error == .holdsNothing(url) {
                try requireNoOtherServices(url, status)
                throw SQLiteLegacySource.lacksLog(url) ? .lacksLog(url) : error
            }
            if try found.map({ source throws(LegacyStoreError) in try isEmpty(source) }) ?? true {
                try requireNoOtherServices(url, status, isStore: found != nil)
            }
            guard let found else {
                throw .notALegacyStore(
                    try reading(url) { try ForeignFile.sentence(about: url) }
                        ?? "\(name) is not a store of the legacy SDK or its successor."
                )
            }
            return PairingSource(found)
        } catch {
            // If the file was changed during the call, the change is reported instead of this error: for example, a
            // file that was truncated may not be recognised.
            try requireUnchanged(url, since: status)
            throw error
        }
    }

    /// Throws if a file has changed since it was opened, because parts of it may have been read before the
    /// change and other parts after it.
    static func requireUnchanged(_ url: URL, since status: FileStatus) throws(LegacyStoreError) {
        guard try reading(url, { try FileStatus(path: url.path) == status }) else {
            throw .changed("\(url.relativePath) was changed while it was being read.")
        }
    }

    /// Returns whether a store contains no records.
    ///
    /// An unreadable record counts as a record.
    private static func isEmpty(_ source: any LegacySource) throws(LegacyStoreError) -> Bool {
        var items = try source.items()
        return items.next() == nil
    }

    /// Returns a sentence about items that look like items of the SDKs, but belong to services that are not
    /// read.
    ///
    /// The result is `nil` if there are no such items, if the file cannot be read, or if it is a document that is
    /// too large to be read a second time.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - services: The further services whose items are read.
    ///   - progress: Called after every 500 items with the number of items that have been searched.
    /// - Returns: The sentence.
    static func sentence(
        aboutOtherServicesOf url: URL,
        besides services: [String],
        progress: (Int) -> Void
    ) -> String? {
        do throws(LegacyStoreError) {
            let status = try reading(url) { try FileStatus(of: url) }
            guard try isScanned(url, status) else { return nil }
            let findings = otherServices(url, status, progress).besides(services)
            return findings.sentence.map { "\(url.relativePath) \($0)" }
        } catch {
            // The same error is reported when the store is read.
            return nil
        }
    }

    /// Returns whether a file is read a second time to find warnings; a large document is not, because that would
    /// need a lot of memory.
    private static func isScanned(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) -> Bool {
        guard status.kind == .file else { return false }
        if status.size <= largestScanned { return true }
        let prefix = try reading(url) { try ByteReader(url).prefix(16) }
        if prefix.starts(with: Array("SQLite format 3\0".utf8)) { return true }
        return try JSONLinesSource.begins(url)
    }

    /// Counts the deleted items of the SDKs in a file; a migration does not read these items.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - progress: Called after every 500 lines of a JSON lines file, with the number of lines that have been
    ///     searched.
    /// - Returns: The number of deleted items; 0 for a document that is too large to be read a second time.
    /// - Throws: ``LegacyStoreError`` if the file cannot be read.
    static func deletedItems(in url: URL, progress: (Int) -> Void) throws(LegacyStoreError) -> Int {
        let status = try reading(url) { try FileStatus(of: url) }
        guard try isScanned(url, status) else { return 0 }
        return switch try source(url, status, mayBeEmpty: true) {
        case let lines as JSONLinesSource: try lines.deletedItems(progress: progress)
        case let dump as KeychainDumpSource: dump.deletedItems
        case let database as SQLiteLegacySource: try database.deletedItems()
        default: 0
        }
    }

    /// Describes the items of a store that contains no records: deleted items, and encrypted items of other services.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - services: The further services whose items are read.
    /// - Returns: A phrase with the numbers of items; `nil` if there are no such items, if the file cannot be read,
    ///   or if it is a document that is too large to be read a second time.
    @_spi(PushBridgeTools) public static func remains(of url: URL, besides services: [String]) -> String? {
        do throws(LegacyStoreError) {
            let status = try reading(url) { try FileStatus(of: url) }
            guard try isScanned(url, status) else { return nil }
            let deleted = try FurtherServices.reading(services) { () throws(LegacyStoreError) in
                try deletedItems(in: url) { _ in }
            }
            let findings = otherServices(url, status).besides(services)
            let ours = deleted > 0 ? words(forDeletedItems: deleted) : nil
            let parts = [ours, findings.deletedWords, findings.otherWords].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: ", ")
        } catch {
            // The same error is reported when the store is read.
            return nil
        }
    }

    /// Returns a phrase with the number of deleted items, such as `3 deleted items of the SDK`.
    static func words(forDeletedItems count: Int) -> String {
        "\(count) deleted \(count == 1 ? "item" : "items") of the SDK"
    }

    /// Throws if a store contains items that look like items of the SDKs but belong to services that are not
    /// read.
    ///
    /// Deleted items count only if the file is not recognised as a store.
    private static func requireNoOtherServices(
        _ url: URL,
        _ status: FileStatus,
        isStore: Bool = true
    ) throws(LegacyStoreError) {
        let findings = otherServices(url, status)
        let isReported = !isStore || !findings.items.isEmpty || !findings.encryptedItems.isEmpty
        guard isReported, let sentence = findings.sentence else { return }
        throw .notALegacyStore("\(url.relativePath) \(sentence)")
    }

    /// Returns the numbers of items that look like items of the SDKs, but belong to services that are not read.
    ///
    /// The result is empty if the store cannot be read, or if it is not a database and is larger than the maximum
    /// size of a document.
    private static func otherServices(
        _ url: URL,
        _ status: FileStatus,
        _ progress: (Int) -> Void = { _ in }
    ) -> FurtherServices.Findings {
        do throws(LegacyStoreError) {
            return try FurtherServices.counting { () throws(LegacyStoreError) in
                guard let source = try source(url, status, mayBeEmpty: true),
                    source is SQLiteLegacySource || status.size <= largestDocument
                else { return }
                var count = 0
                for item in try source.items() {
                    _ = try item.get()
                    count += 1
                    if count.isMultiple(of: 500) { progress(count) }
                }
                try (source as? SQLiteLegacySource)?.countOtherDeletedItems()
            }
        } catch {
            return FurtherServices.Findings()
        }
    }

    // A source must check bounds, and must not map a file into memory. It must read items one by one, or limit the
    // size of the file.
    //
    // To test a new container, add its file extension to
    // `LegacyFileTests.eachContainerReturnsTheSameItems` and `RolloutTests.eventsNameTheContainer`, files to
    // `LegacyFixtures`, and tests to the suites next to `LegacyFileTests`. `RolloutTests` fails if
    // `MigrationEvent.Source` lacks the name of the container.
    private static func source(
        _ url: URL,
        _ status: FileStatus,
        mayBeEmpty: Bool
    ) throws(LegacyStoreError) -> (any LegacySource)? {
        func lines() throws(LegacyStoreError) -> (any LegacySource)? {
            try JSONLinesSource(url, status, mayBeEmpty: mayBeEmpty)
        }
        let prefix = try reading(url) { try ByteReader(url).prefix(4096) }
        if prefix.starts(with: Array("SQLite format 3\0".utf8)) {
            return try SQLiteLegacySource(url, mayBeEmpty: mayBeEmpty)
        }
        if prefix.starts(with: Array("bplist".utf8)) {
            try requireDocument(url, status)
            // While the items of all services are counted, every name counts as the name of a service. A dump would
            // then be mistaken for a list of services, so a dump is recognised first.
            if FurtherServices.isCounting, status.size <= largestScanned,
                let dump = try KeychainDumpSource(binaryPropertyList: url, status)
            {
                return dump
            }
            if let list = try BinaryPropertyListSource(url, status) { return list }
            return try KeychainDumpSource(binaryPropertyList: url, status)
        }
        // No other format contains zero bytes.
        guard !prefix.contains(0) else { return nil }
        switch prefix.first(where: { !$0.isJSONSpace && !$0.isByteOrderMark }) {
        case UInt8(ascii: "<"):
            try requireDocument(url, status)
            if FurtherServices.isCounting, status.size <= largestScanned,
                let dump = try KeychainDumpSource(xmlPropertyList: url, status)
            {
                return dump
            }
            if let list = try XMLPropertyListSource(url, status) { return list }
            return try KeychainDumpSource(xmlPropertyList: url, status)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if try JSONLinesSource.begins(url) { return try lines() }
            guard status.size <= largestDocument else { return try lines() }
            if let document = try JSONDocumentSource(url, status) { return document }
            if let dump = try KeychainDumpSource(json: url, status) { return dump }
            return try lines()
        default: return try lines()
        }
    }

    private static func requireDocument(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) {
        guard status.size <= largestDocument else {
            throw .notALegacyStore(
                "\(url.relativePath) is larger than 256 MB, too large for a property list."
            )
        }
    }

    /// Returns all bytes of a document; throws if the file has changed since `status`.
    ///
    /// The document is read and not mapped, because the process would crash if a mapped file became shorter.
    static func contents(_ url: URL, _ status: FileStatus) throws(LegacyStoreError) -> [UInt8] {
        let bytes = try reading(url) {
            let size = Int(try FileStatus(of: url).size)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(size, largestDocument))
            let reader = try ByteReader(url)
            while bytes.count <= largestDocument {
                let piece = try reader.piece()
                guard !piece.isEmpty else { break }
                bytes.append(contentsOf: piece)
            }
            return bytes
        }
        try requireUnchanged(url, since: status)
        return bytes
    }
}
