public import Foundation
public import PushBridgeCore

/// A legacy store that can be read, and from which proven records can be removed.
public protocol LegacySource: Sendable {
    /// The name of the container for reports: `sqlite`, `propertyList`, `jsonLines`, `legacyJSON`,
    /// `migrationExport`, `newSDKJSON`, `keychain` or `storageClient`.
    var container: String { get }

    /// The records of the four services in source order, read on demand.
    ///
    /// A store that becomes unreadable on the way ends the sequence with one failure.
    ///
    /// - Returns: The records, once.
    /// - Throws: ``LegacyStoreError`` if the store cannot be opened or read.
    func items() throws(LegacyStoreError) -> LegacyItems

    /// A value that changes with the store, determined without opening a record; `nil` if there is none.
    ///
    /// - Returns: A value that is equal as long as nothing changed, or `nil`.
    /// - Throws: An error with the code ``LegacyStoreError/Code/locked`` if the user must unlock the device first.
    func state() throws(LegacyStoreError) -> SourceState?

    /// Whether a removal removes the whole store, and therefore needs every item of it: the store is one document.
    var isRemovedWhole: Bool { get }

    /// Removes the items at these positions, all or nothing, after writing a complete copy of the unchanged store to
    /// `backup` (mode 0600, flushed to disk).
    ///
    /// Compares each item with its digest while no other process can write, or compares the removed file with the backup. A
    /// removal that failed after its backup can be repeated with the same backup.
    ///
    /// - Parameters:
    ///   - doomed: The positions of the items, and their digests at the time of the proof.
    ///   - backup: A new file, or one that already contains the same backup.
    /// - Returns: Messages for the user about copies that may remain; empty if there are none.
    /// - Throws: An error with the code ``LegacyStoreError/Code/changed`` if an item is missing or no longer matches
    ///   its digest, and ``LegacyStoreError/Code/notWritable`` if the store or the backup cannot be written, or if the store
    ///   ``isRemovedWhole`` and contains more than these items.
    @discardableResult
    func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String]

    /// Completes the cleanup of an earlier removal, such as clearing a log that another program was reading.
    ///
    /// - Parameter backup: The backup of that removal: what is proven to be in it or in the store is not kept beside it.
    /// - Returns: The remains, and those that still have to wait; empty if there was nothing to do.
    /// - Throws: An error if the store cannot be written.
    func cleanUp(backup: URL) throws(LegacyStoreError) -> [String]
}

/// The state of a legacy store at one moment, as far as it is known without opening a record.
public struct SourceState: Equatable, Sendable {
    /// The name of the store among all that an app migrates from; contains nothing about the user.
    public let name: String
    /// Differs as soon as a record is added, changed or removed.
    public let digest: RecordFingerprint

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - name: The name of the store among all that an app migrates from.
    ///   - digest: A value that differs as soon as a record is added, changed or removed.
    public init(name: String, digest: RecordFingerprint) {
        self.name = name
        self.digest = digest
    }
}

extension LegacySource {
    /// Returns `nil`: most stores have no such value.
    ///
    /// - Throws: Nothing.
    public func state() throws(LegacyStoreError) -> SourceState? { nil }

    /// Returns `false`: most stores remove single items.
    public var isRemovedWhole: Bool { false }

    /// Returns an empty list: most stores leave nothing to do.
    ///
    /// - Throws: Nothing.
    public func cleanUp(backup: URL) throws(LegacyStoreError) -> [String] { [] }
}

/// The records of a legacy store, one at a time.
public struct LegacyItems: Sequence, IteratorProtocol {
    /// An item, or why the store can be read no further.
    public typealias Element = Result<LegacyItem, LegacyStoreError>

    private var pull: () throws(LegacyStoreError) -> LegacyItem?

    /// Creates a sequence from a function that returns the next item, or `nil` at the end.
    ///
    /// - Parameter pull: Reads the next item, or returns `nil` at the end; throws ``LegacyStoreError`` if the store cannot be
    ///   read further. Not called again after either.
    public init(_ pull: @escaping () throws(LegacyStoreError) -> LegacyItem?) {
        self.pull = pull
    }

    /// The next item; `nil` at the end, and after a failure.
    public mutating func next() -> Element? {
        do {
            return try pull().map(Result.success)
        } catch {
            pull = { () throws(LegacyStoreError) in nil }
            return .failure(error)
        }
    }
}

/// Legacy items that are already in memory; for stores read by other means, and for tests.
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

    /// The items, in the order given.
    public func items() -> LegacyItems {
        var iterator = contents.makeIterator()
        return LegacyItems { () throws(LegacyStoreError) in iterator.next() }
    }

    /// Always refuses: there is nothing to remove from.
    ///
    /// - Throws: ``LegacyStoreError`` with the code `notWritable`.
    public func remove(
        _ doomed: [LegacyItem.Position: LegacyItem.Digest],
        backup: URL
    ) throws(LegacyStoreError) -> [String] {
        throw LegacyStoreError(.notWritable, reason: "Records in memory cannot be retired.")
    }
}
