public import Foundation
public import PushBridgeCore

/// A legacy store that can be read, and from which proven records can be removed.
public protocol LegacySource: Sendable {
    /// The name of the container for reports: `sqlite`, `propertyList`, `jsonLines`, `legacyJSON`,
    /// `migrationExport`, `newSDKJSON`, `keychain`, `storageClient` or `memory`. An app's own source may have another
    /// name.
    var container: String { get }

    /// Returns the accounts, mechanisms, notifications and device tokens in the order of the source.
    ///
    /// The records are read on demand.
    ///
    /// If the store becomes unreadable during the iteration, the last element of the sequence is a failure.
    ///
    /// - Returns: The records, as a sequence for one iteration.
    /// - Throws: ``LegacyStoreError`` if the store cannot be opened or read.
    func items() throws(LegacyStoreError) -> LegacyItems

    /// Returns, without opening a record, a value that changes whenever the store changes.
    ///
    /// - Returns: The value, which stays the same until the store changes; `nil` if the store provides no such value.
    /// - Throws: ``LegacyStoreError`` if the store cannot be read; the code is ``LegacyStoreError/Code/locked`` if the
    ///   user must unlock the device first.
    func state() throws(LegacyStoreError) -> SourceState?

    /// Whether the store is one document, which a removal removes as a whole.
    ///
    /// The removal must then name all items.
    var isRemovedWhole: Bool { get }

    /// Removes the items at these positions; if the call fails, items that were already removed are restored, if
    /// possible.
    ///
    /// Before anything is removed, an unchanged copy of the store is written to `backup` (mode 0600, flushed to disk).
    /// The copy of a file is complete; the copy of a keychain or of an app's own storage contains all readable items.
    /// Each item to remove is compared with its digest, and a document is also compared with the backup. While items
    /// are removed from a database, no other process can write. If a removal fails after its backup was written, it can
    /// be repeated with the same backup.
    ///
    /// - Parameters:
    ///   - removals: The positions of the items, with their digests at the time of the proof.
    ///   - backup: A new file, or a file that already contains the same backup.
    /// - Returns: Messages for the user about places where copies of the items may remain; empty if no copies remain.
    /// - Throws: ``LegacyStoreError`` with the code ``LegacyStoreError/Code/changed`` if an item is missing or no
    ///   longer matches its digest. The code is ``LegacyStoreError/Code/notWritable`` if the store or the backup cannot
    ///   be written, or if ``isRemovedWhole`` is `true` and the store contains further items.
    @discardableResult
    func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String]

    /// Completes the cleanup of an earlier removal.
    ///
    /// For example, clears a log that another program was reading at the time of the removal.
    ///
    /// - Parameter backup: The backup that the earlier removal wrote. A leftover file that may contain records is
    ///   deleted only if all of them are in this backup or in the store.
    /// - Returns: Messages about each leftover file that was deleted or cannot be deleted yet, and about a log that
    ///   cannot be cleared yet; empty if there is neither.
    /// - Throws: An error if the store cannot be written.
    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String]
}

/// The state of a legacy store at one moment; it is determined without opening a record.
public struct SourceState: Equatable, Sendable {
    /// The name of the store.
    ///
    /// The name is unique among the stores from which an app migrates, and contains no personal data.
    public let name: String
    /// A value that changes whenever a record is added, changed or removed.
    public let digest: RecordFingerprint

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - name: The name of the store; it must be unique among the stores from which an app migrates.
    ///   - digest: A value that changes whenever a record is added, changed or removed.
    public init(name: String, digest: RecordFingerprint) {
        self.name = name
        self.digest = digest
    }

    /// Returns a state that also changes whenever one of the parts changes.
    package func combined(with parts: [String]) -> SourceState {
        let digest = RecordFingerprint(parts: parts, payload: digest.bytes, occurrence: 0)
        return SourceState(name: name, digest: digest)
    }
}

extension LegacySource {
    /// Returns `nil`, because most stores provide no value that shows whether the store changed.
    ///
    /// - Throws: Nothing.
    public func state() throws(LegacyStoreError) -> SourceState? { nil }

    /// `false`, because most stores remove single items.
    public var isRemovedWhole: Bool { false }

    /// Returns an empty list, because most stores need no cleanup.
    ///
    /// - Throws: Nothing.
    public func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] { [] }
}

/// The records of a legacy store, one at a time.
public struct LegacyItems: Sequence, IteratorProtocol {
    /// An item, or the error that makes it impossible to read the rest of the store.
    public typealias Element = Result<LegacyItem, LegacyStoreError>

    private var pull: () throws(LegacyStoreError) -> LegacyItem?

    /// Creates a sequence from a function that returns the next item, or `nil` at the end.
    ///
    /// - Parameter pull: Throws ``LegacyStoreError`` if the store cannot be read any further, and is then not called
    ///   again. After it has returned `nil`, it must return `nil` again.
    public init(_ pull: @escaping () throws(LegacyStoreError) -> LegacyItem?) {
        self.pull = pull
    }

    /// Returns the next item; returns `nil` at the end of the store and after a failure.
    public mutating func next() -> Element? {
        do {
            return try pull().map(Result.success)
        } catch {
            pull = { () throws(LegacyStoreError) in nil }
            return .failure(error)
        }
    }
}

/// A source of legacy items in memory, for tests and for stores that an app reads itself.
public struct MemoryLegacySource: LegacySource {
    /// The name of the container for reports.
    public let container: String
    private let contents: [LegacyItem]

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - items: The items, in source order.
    ///   - container: The name of the container for reports.
    public init(_ items: [LegacyItem], container: String = "memory") {
        self.container = container
        contents = items
    }

    /// Returns the items, in the order in which they were given.
    public func items() -> LegacyItems {
        var iterator = contents.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in iterator.next() }
    }

    /// Always throws, because items in memory cannot be removed.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable`.
    public func remove(
        _ removals: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        throw LegacyStoreError(.notWritable, reason: "Records in memory cannot be removed.")
    }
}
