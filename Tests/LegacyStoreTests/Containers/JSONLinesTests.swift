import Foundation
import PushBridgeCore
import PushBridgeFiles
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct JSONLinesTests {
    private let scratch: TemporaryFolder
    private let account = LegacyService.account.rawValue

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func eachLineBecomesAnItem() throws {
        let text = """
            {"svce":"other","acct":"x","data":"AA=="}\r

            {"svce":"\(account)","acct":"A-B","agrp":"g","data":"AQI="}\r
            {"acct":"no service"}
            not JSON
            {"svce":"\(account)","acct":"bad data","data":"A"}
            {"svce":"\(account)","acct":"no data"}
            {"svce":"\(account)","acct":"last","data":""}
            """
        let source = try LegacyFile.open(scratch.file("a", text))
        let noBase64 = LegacyItem.Payload.unreadable(.init(.damaged, reason: "The field data is not base64."))
        let noItem = LegacyItem.Payload.unreadable(
            .init(.damaged, reason: "The line is not a keychain item in JSON.")
        )
        let expected: [(LegacyService, String, String?, LegacyItem.Payload)] = [
            (.account, "A-B", "g", .archive(Data([1, 2]))),
            (.mechanism, "line 4", nil, noItem),
            (.mechanism, "line 5", nil, noItem),
            (.account, "bad data", nil, noBase64),
            (.account, "no data", nil, noBase64),
            (.account, "last", nil, .archive(Data())),
        ]
        let items = expected.enumerated().map { index, item in
            LegacyItem(
                position: .index(index),
                service: item.0,
                key: item.1,
                accessGroup: item.2,
                payload: item.3
            )
        }
        #expect(source.container == "jsonLines")
        #expect(try source.allItems() == items)
    }

    @Test func aLineThatIsTooLongIsReturnedAsNil() throws {
        let url = try scratch.file("a", "short\n\(String(repeating: "x", count: 200_000))\nlast")
        var walk = try KeychainLines(url, limit: 1000)
        var lines: [[UInt8]?] = []
        while let line = try walk.next() { lines.append(line.bytes) }
        #expect(lines == [Array("short".utf8), nil, Array("last".utf8)])
    }

    /// Before a line is parsed, the line is searched for the names of an item's members.
    @Test(arguments: [
        (#"{"svce":"a"}"#, true, false), (#"{"service":"a","tomb":1}"#, true, true),
        (#"{"s\u0076ce":"a"}"#, true, false), (#"{"tomb":1}"#, false, false), (#"tomb\"#, true, true),
        ("svc e, servic", false, false), ("", false, false),
    ])
    func aLineIsSearchedForTheNamesOfMembers(
        _ text: String,
        _ mayBeItem: Bool,
        _ mayBeDeleted: Bool
    ) throws {
        var lines = try KeychainLines(scratch.file("a", "\(text)\n"))
        let next = try lines.next()
        let line = try #require(next)
        #expect(line.mayBeItem == mayBeItem)
        #expect(line.mayBeDeleted == mayBeDeleted)
    }

    /// The search for the bytes of a name has the same results as Foundation's search.
    @Test func theSearchFindsATextAtEveryPlace() {
        var generator = SeededGenerator(seed: 1)
        let letters = Array("svce".utf8)
        var found = 0
        for length in [0, 1, 3, 4, 5, 64] {
            for _ in 0..<200 {
                let bytes = (0..<length).map { _ in letters[Int.random(in: 0..<4, using: &generator)] }
                let isFound = Data(bytes).range(of: Data(letters)) != nil
                #expect(bytes.contains(bytesOf: "svce") == isFound)
                #expect((Data([0]) + bytes).dropFirst().contains(bytesOf: "svce") == isFound)
                if isFound { found += 1 }
            }
        }
        #expect(found > 10)
        #expect(Data("ssvce".utf8).contains(bytesOf: "svce"))
        #expect(!Data("svc".utf8).contains(bytesOf: "svce"))
        #expect(Data().contains(bytesOf: ""))
    }

    @Test func linesAreReadOnRequest() throws {
        let line = #"{"svce":"\#(account)","acct":"A-B","data":"AQI="}"# + "\n"
        let url = try scratch.file("a", String(repeating: line, count: 20_000))
        let reader = try ByteReader(url)
        let first = try #require(try reader.line(limit: 1000)?.bytes)
        #expect(String(decoding: first, as: UTF8.self) + "\n" == line)
        #expect(reader.bytesRead <= 64 * 1024)
    }
}
