import Foundation
import GRDB
import PushBridgeCommandLineTestSupport
import Testing

#if os(Linux)
/// Stores that were built to consume memory or time.
///
/// The process that reads the stores has limited memory and time.
@Suite struct LargeInputTests {
    private let pushbridge: CommandLineTool
    private let account = "com.forgerock.ios.authenticator.keychainservice.local.account"

    init() throws {
        pushbridge = try CommandLineTool()
    }

    /// The part of the store that contains the large value.
    enum Store: CaseIterable {
        case line, element, issuer, blob, column
    }

    @Test(.timeLimit(.minutes(2)), arguments: Store.allCases)
    func aLargeValueIsReportedAsDamageInLittleMemory(_ store: Store) throws {
        let path = try make(store)
        let run = try inspect(path)
        #expect(run.status == 1, "\(run)")
        #expect(run.output.contains("er than 16 MB."), "\(run)")
    }

    @Test(.timeLimit(.minutes(2)), arguments: ["{", "bplist00", "<plist>"])
    func aSparseFileIsRejectedInLittleMemory(_ start: String) throws {
        let start = start + String(repeating: " ", count: 10_000)
        let path = try pushbridge.file("sparse", Data(start.utf8))
        #expect(truncate(path, 10_000_000_000) == 0)
        #expect(try inspect(path).status == 66)
    }

    private func inspect(_ path: String) throws -> CommandLineTool.Run {
        try pushbridge.run(["inspect", path], limits: "ulimit -d 300000")
    }

    private func make(_ store: Store) throws -> String {
        switch store {
        case .line:
            let start = #"{"svce":"\#(account)","acct":"A","data":""#
            return try file("\(start)\"}\n\(start)", 200_000_000, "\"}\n")
        case .element:
            let start = "<plist><dict><key>\(account)</key><dict><key>A</key><data>"
            return try file(start, 200_000_000, "</data></dict></dict></plist>")
        case .issuer:
            return try file(#"{"accounts":[{"issuer":""#, 100_000_000, #"","accountName":"A"}]}"#)
        case .blob:
            return try database("data", "zeroblob(200000000)")
        case .column:
            return try database("data AS (zeroblob(1000000000)), other", "NULL")
        }
    }

    private func file(_ start: String, _ count: Int, _ end: String) throws -> String {
        let path = try pushbridge.file("large", Data(start.utf8))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        let piece = Data(repeating: UInt8(ascii: "A"), count: 1_000_000)
        for _ in 0..<count / piece.count { try file.write(contentsOf: piece) }
        try file.write(contentsOf: Data(end.utf8))
        try file.close()
        return path
    }

    private func database(_ columns: String, _ value: String) throws -> String {
        let path = pushbridge.path("large")
        let queue = try DatabaseQueue(path: path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE genp(svce, acct, agrp, \(columns))")
            try db.execute(sql: "INSERT INTO genp VALUES (?, 'A', 'g', \(value))", arguments: [account])
        }
        try queue.close()
        return path
    }
}
#endif
