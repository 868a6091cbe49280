import Foundation
import LegacyStore
import Testing

@testable import CredentialMigration

/// The reading of a source's records in batches.
@Suite struct SourceReadingTests {
    /// A connection that stays open as long as records are read.
    private final class Connection: Sendable {}

    /// Records that are read over a connection.
    private struct Connected: LegacySource {
        let container = "connected"
        let records: MemoryLegacySource
        let open: @Sendable () -> Connection

        func items() throws(LegacyStoreError) -> LegacyItems {
            let connection = open()
            var items = records.items()
            return LegacyItems { () throws(LegacyStoreError) in
                defer { withExtendedLifetime(connection) {} }
                return try items.next()?.get()
            }
        }

        func remove(
            _ removals: [LegacyItem.Position: LegacyItem.Digest],
            backup: URL
        ) throws(LegacyStoreError) -> [String] { [] }
    }

    /// A batch ends early after large values: 256 values of 16 MB would fill the memory.
    @Test func aBatchEndsAfterLargeValues() throws {
        let items = (0..<5).map { number in
            LegacyItem(
                position: .index(number),
                service: .account,
                key: "\(number)",
                payload: .archive(Data(count: 9_000_000))
            )
        }
        var reading = try SourceReading(MemoryLegacySource(items), batchSize: 256)
        var counts: [Int] = []
        while let batch = try reading.next() { counts.append(batch.count) }
        #expect(counts == [2, 2, 1])
    }

    /// The source's connection is closed before the end of the records is reported.
    ///
    /// Code that runs at the end may remove records; an open connection would prevent the removal.
    @Test(arguments: [1, 2, 3, 10])
    func theSourceIsClosedBeforeTheEndIsReported(_ batchSize: Int) throws {
        let items = (0..<4).map { number in
            LegacyItem(
                position: .index(number),
                service: .account,
                key: "\(number)",
                payload: .unreadable(.damaged(""))
            )
        }
        let opened = Opened()
        var reading = try SourceReading(
            Connected(records: MemoryLegacySource(items), open: opened.make),
            batchSize: batchSize
        )
        var count = 0
        while let batch = try reading.next() { count += batch.count }
        #expect(count == 4)
        #expect(opened.last == nil)
        withExtendedLifetime(reading) {}
    }

    /// Stores a weak reference to a connection, to find out whether it was closed.
    private final class Opened: @unchecked Sendable {
        private(set) weak var last: Connection?

        @Sendable func make() -> Connection {
            let connection = Connection()
            last = connection
            return connection
        }
    }
}
