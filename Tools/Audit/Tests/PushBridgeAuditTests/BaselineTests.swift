import Foundation
import PushBridgeCommandLine
import PushBridgeSymbols
import PushBridgeTestSupport
import Testing

@testable import PushBridgeAudit

/// Baselines that an earlier version wrote.
@Suite struct BaselineTests {
    private static let accounts = "Accounts.swift"
    private static let delegate = "AppDelegate.swift"

    /// Returns an audit with these uses.
    private static func audit(
        _ uses: [(file: String, symbol: String, role: SymbolRole, enclosing: String?)],
        unindexed: [String] = []
    ) throws -> Audit {
        let files = [accounts, delegate]
        let symbols = ["start()", "shared", "getAllAccounts()"]
        let names = ["Accounts.reload()", "AppDelegate.application(_:didFinishLaunchingWithOptions:)"]
        return Audit(
            index: "",
            indexTime: Date(timeIntervalSince1970: 0),
            library: "",
            project: "",
            modules: [],
            indexedFiles: files.count,
            symbols: symbols.map {
                Audit.Symbol(
                    module: "FRAuthenticator",
                    owners: ["FRAClient"],
                    name: $0,
                    entry: nil,
                    isType: false
                )
            },
            files: files,
            names: names,
            uses: try uses.enumerated().map { index, use in
                Audit.Use(
                    symbol: try #require(symbols.firstIndex(of: use.symbol)),
                    file: try #require(files.firstIndex(of: use.file)),
                    line: UInt32(100 + index),
                    column: 1,
                    role: use.role,
                    enclosing: use.enclosing.flatMap { names.firstIndex(of: $0) },
                    alias: nil
                )
            },
            stale: [],
            unindexed: unindexed,
            refreshCommand: "",
            mentions: []
        )
    }

    /// The uses in the baseline; their lines in ``audit(_:unindexed:)`` differ from those in the baseline.
    private static let uses: [(file: String, symbol: String, role: SymbolRole, enclosing: String?)] = [
        (accounts, "shared", .read, nil),
        (accounts, "shared", .read, "Accounts.reload()"),
        (accounts, "getAllAccounts()", .call, "Accounts.reload()"),
        (accounts, "getAllAccounts()", .call, "Accounts.reload()"),
        (delegate, "start()", .call, "AppDelegate.application(_:didFinishLaunchingWithOptions:)"),
    ]

    @Test(arguments: ["1"])
    func aBaselineOfAnEarlierVersionContainsExactlyItsUses(_ form: String) throws {
        let baseline = try Baseline(named: LegacyFixtures.url("own/\(form)/audit.json").path)
        #expect(baseline.uses == 5)
        let same = baseline.compare(try Self.audit(Self.uses))
        #expect(same.new == [])
        #expect(same.gone == 0)
        // The comparison counts a removed use as gone, and an added use as new.
        for index in Self.uses.indices {
            var others = Self.uses
            let removed = others.remove(at: index)
            let less = baseline.compare(try Self.audit(others))
            #expect(less.new == [])
            #expect(less.gone == 1)
            let more = baseline.compare(try Self.audit(Self.uses + [removed]))
            #expect(more.new == [5])
            #expect(more.gone == 0)
        }
    }

    @Test(arguments: ["1"])
    func aBaselineOfAnEarlierVersionNamesTheFilesThatItsIndexLacked(_ form: String) throws {
        let baseline = try Baseline(named: LegacyFixtures.url("own/\(form)/audit.json").path)
        #expect(!baseline.isFuller(than: try Self.audit(Self.uses, unindexed: ["Unbuilt.swift"])))
        #expect(
            baseline.isFuller(than: try Self.audit(Self.uses, unindexed: ["Unbuilt.swift", "New.swift"]))
        )
    }

    @Test(arguments: [
        ("{\"uses\": [\n  {\"file\": \"A.swift\" }}", " (invalid JSON at line 2, column 23)"),
        ("{}", ""), ("[1, 2]", ""),
    ])
    func theErrorOfABrokenBaselineNamesTheFileAndThePlaceOfInvalidJSON(_ text: String, _ place: String) throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("baseline.json", text).path
        let sentence = "\(path) is not an audit\(place): it must be the output of pushbridge audit --json."
        #expect(throws: CommandFailure(status: .unreadableInput, sentence: sentence)) {
            try Baseline(named: path)
        }
    }
}
