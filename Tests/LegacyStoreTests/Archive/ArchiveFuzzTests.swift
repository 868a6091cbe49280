import Foundation
import PushBridgeCore
import PushBridgeTestSupport
import Testing

@testable import LegacyStore

/// Damaged archives; the tests read 100,000 of them by default.
///
/// Reading an archive never ends the process, and no error contains a secret.
struct ArchiveFuzzTests {
    @Test(arguments: 0..<8 as Range<UInt64>)
    func damagedArchivesAreReadOrRefused(_ seed: UInt64) throws {
        let originals = try ArchiveFixture.all(in: "everyday") + ArchiveFixture.all(in: "edges")
        var mutation = Mutation(seed: seed, originals: originals)
        var reasons = Set<String>()
        var readCount = 0
        for round in Sweep.rounds("archives", part: seed, of: 8) {
            let damaged = mutation.next()
            do {
                _ = try LegacyRecord(archive: damaged.archive, service: damaged.service)
                readCount += 1
            } catch {
                reasons.insert(error.reason)
            }
            if round % 10 == 0 { visitAll(of: damaged.archive) }
        }
        #expect(readCount > Sweep.size / 200)
        #expect(reasons.count > 50)
        let secrets = try originals.compactMap(secret)
        #expect(!reasons.contains { reason in secrets.contains { reason.contains($0) } })
    }

    /// Reads every object, the position after the last object, and the last element of every collection.
    ///
    /// More reads would make the test slow, because the test library records a backtrace of every error.
    private func visitAll(of archive: Data) {
        guard let list = try? ReadPropertyList(archive) else { return }
        for index in 0...UInt64(list.layout.objectCount) {
            guard let object = try? list.object(at: .init(index: index)) else { continue }
            _ = object.array?.last
            _ = object.dictionary?.last
        }
    }

    /// Returns the first characters of a mechanism's secret; `nil` if the record is not a mechanism.
    private func secret(of fixture: ArchiveFixture) throws -> String? {
        let record = try LegacyRecord(archive: fixture.archive, service: fixture.service)
        guard case .mechanism(let mechanism) = record else { return nil }
        return mechanism.secret.withUTF8 { String($0.prefix(8)) }
    }
}
