import Foundation
import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import CredentialMigration

/// Events contain no personal data.
@Suite("Privacy of events")
struct EventPrivacyTests {
    private static let fixtures = ["everyday.jsonl", "edges.jsonl"]

    @Test func tenThousandEventsHoldNoValueOfTheStores() async throws {
        let values = try Self.fixtures.reduce(into: Set<String>()) { $0.formUnion(try Self.values(of: $1)) }
        #expect(values.count > 50)
        var receipts: [MigrationReceipt] = []
        for fixture in Self.fixtures {
            let source = MigrationSource.store(try LegacyFile.open(LegacyFixtures.url(fixture)))
            receipts.append(try CredentialMigration(from: source, to: MemoryCredentialStore()).migrate())
        }
        let texts = values.sorted()
        var random = SeededGenerator(seed: 10_000)
        let events = Lock<[MigrationEvent]>([])
        let rollout = MigrationRollout(
            MemoryRolloutStorage(),
            versions: MigrationVersions(app: "4.1", system: "iOS 26.1.0"),
            report: { event in events.withValue { $0.append(event) } }
        )
        for _ in 0..<10_000 {
            let text = texts[Int.random(in: texts.indices, using: &random)]
            let (fails, receipt) = (
                Int.random(in: 0..<4, using: &random),
                receipts[Int.random(in: receipts.indices, using: &random)]
            )
            let part = receipt.filter { _ in Bool.random(using: &random) }
            do {
                _ = try rollout.attempt(.apply, source: text, yield: AttemptResult.receipt) { began in
                    try began()
                    // The errors contain strings from the fixture, because a real error may quote the record that
                    // caused it.
                    if fails == 0 { throw StoreError(.failed, record: text, reason: text) }
                    if fails == 1 { throw LegacyStoreError(.unreadable, reason: text) }
                    return part
                }
            } catch {}
            await rollout.deliver()
        }
        let all = events.withValue { $0 }
        #expect(all.count == 10_000)
        #expect(Set(all.map(\.attemptId)).count == 10_000)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let ids = Set(all.map { $0.attemptId.uuidString })
        // The tokens are all strings in the events, including the names of members, but not the random ids of
        // the attempts.
        var tokens: Set<String> = []
        for event in all {
            var members = try #require(
                try JSONSerialization.jsonObject(with: encoder.encode(event)) as? [String: Any]
            )
            members["attemptId"] = nil
            Self.collectTexts(members, into: &tokens)
        }
        #expect(tokens.isSuperset(of: ["outcome", "complete", "iOS 26.1.0"]))
        let text = tokens.sorted().joined(separator: "\n")
        for value in values {
            #expect(!ids.contains(value.uppercased()))
            for spelling in Self.spellings(of: value) {
                #expect(!text.contains(spelling), "\(spelling)")
            }
        }
    }

    @Test func theSearchForValuesIncludesTheirEncodedSpellings() throws {
        let values = try Self.values(of: "everyday.jsonl")
        #expect(values.contains("alice@example.com"))
        #expect(Self.spellings(of: "alice@example.com").contains("YWxpY2VAZXhhbXBsZS5jb20"))
        #expect(Self.spellings(of: "alice@example.com").contains("alice%40example.com"))
        let spellings = Self.spellings(of: "Alice/B")
        #expect(spellings.isSuperset(of: ["ALICE/B", "alice%2fb", "QWxpY2UvQg", "616c6963652f62"]))
    }

    /// Returns the strings in a fixture, including the strings in its archives.
    ///
    /// The result contains no numbers, no strings of fewer than five characters, and no words that events themselves
    /// use.
    private static func values(of fixture: String) throws -> Set<String> {
        var values: Set<String> = []
        for line in String(decoding: try LegacyFixtures.data(fixture), as: UTF8.self).split(separator: "\n") {
            guard let json = try? JSONSerialization.jsonObject(with: Data(line.utf8)) else { continue }
            collect(json, into: &values)
        }
        let words =
            MigrationReason.allCases.map(\.rawValue) + MigrationOutcome.allCases.map(\.rawValue)
            + LegacyRecordKind.allCases.map(\.rawValue) + MigrationEvent.Source.allCases.map(\.rawValue)
        return values.filter { $0.count >= 5 && !words.contains($0) && Int($0) == nil }
    }

    private static func collectTexts(_ value: Any, into texts: inout Set<String>) {
        switch value {
        case let text as String: texts.insert(text)
        case let list as [Any]: for element in list { collectTexts(element, into: &texts) }
        case let members as [String: Any]:
            for (name, element) in members {
                texts.insert(name)
                collectTexts(element, into: &texts)
            }
        default: break
        }
    }

    private static func collect(_ value: Any, into values: inout Set<String>) {
        switch value {
        case let text as String:
            values.insert(text)
            guard let data = Data(base64Encoded: text) else { return }
            collect(data, into: &values)
        case let data as Data:
            values.insert(data.base64EncodedString())
            if let list = try? PropertyListSerialization.propertyList(from: data, format: nil) {
                collect(list, into: &values)
            } else if let json = try? JSONSerialization.jsonObject(with: data) {
                collect(json, into: &values)
            }
        case let list as [Any]: for element in list { collect(element, into: &values) }
        case let members as [String: Any]: for element in members.values { collect(element, into: &values) }
        default: break
        }
    }

    private static func spellings(of value: String) -> Set<String> {
        var spellings: Set<String> = []
        for text in [value, value.lowercased(), value.uppercased()] {
            let bytes = Data(text.utf8)
            let base64 = bytes.base64EncodedString().replacingOccurrences(of: "=", with: "")
            let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            // Padded base64 begins with the unpadded text, so a search for the unpadded text finds both
            // forms.
            spellings.formUnion([text, base64, hex, hex.uppercased()])
            spellings.insert(
                base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            )
            spellings.insert(text.replacingOccurrences(of: "/", with: "\\/"))
            for allowed in [CharacterSet.alphanumerics.union(.init(charactersIn: "-._~")), .urlQueryAllowed] {
                guard let escaped = text.addingPercentEncoding(withAllowedCharacters: allowed) else {
                    continue
                }
                spellings.formUnion([escaped, escaped.lowercased()])
            }
        }
        return spellings
    }
}
