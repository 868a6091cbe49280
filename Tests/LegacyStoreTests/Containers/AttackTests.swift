import Foundation
import GRDB
import PushBridgeFiles
import PushBridgePlatform
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@_spi(PushBridgeTools) @testable import LegacyFiles
@testable import LegacyStore

/// Changes that other processes make to a store while it is read or while records are removed.
struct AttackTests {
    private let scratch: TemporaryFolder
    private let account = LegacyService.account.rawValue
    private var backup: URL { scratch.url("backup") }
    private var line: String { #"{"svce":"\#(account)","acct":"A","data":"AA=="}"# + "\n" }
    private var late: String { line.replacingOccurrences(of: #""A""#, with: #""B""#) }

    init() throws {
        scratch = try TemporaryFolder()
    }

    /// A property list that shrinks while it is read is read to its end.
    ///
    /// A process that reads a mapped file after the file has shrunk is killed.
    @Test func aPropertyListThatShrinksWhileItIsReadIsReadToItsEnd() throws {
        let url = try propertyList((0..<5_000).map { "\($0)" })
        var items = try LegacyFile.open(url).items()
        _ = items.next()
        try Data("bplist00".utf8).write(to: scratch.url("short"))
        #expect(truncate(url.path, 8) == 0)
        var count = 1
        while let item = items.next() {
            _ = try item.get()
            count += 1
        }
        #expect(count == 5_000)
    }

    /// A file that is truncated while it is read is reported as changed.
    ///
    /// Half of a file must not be accepted as the whole file, even if the cut is at the end of a line.
    @Test(arguments: ["jsonl", "plist", "xml", "json"], [true, false])
    func aFileThatIsTruncatedDuringReadingIsReportedAsChanged(_ container: String, _ isAtALinesEnd: Bool)
        throws
    {
        let url: URL
        switch container {
        case "jsonl": url = try scratch.file("a", String(repeating: line, count: 1_000))
        case "plist": url = try propertyList((0..<1_000).map { "\($0)" })
        case "json":
            url = try scratch.file(
                "a",
                #"{"accounts":[{"id":"A-a","issuer":"A","accountName":"a","timeAdded":0}]}"#
            )
        default:
            let entries = (0..<1_000).map { "<key>\($0)</key><data>AA==</data>\n" }.joined()
            let text = "<plist><dict><key>\(account)</key><dict>\n\(entries)</dict></dict></plist>"
            url = try scratch.file("a", text)
        }
        let source = try LegacyFile.open(url)
        let half = container == "jsonl" ? line.utf8.count * 500 : Int(try FileStatus(of: url).size) / 2
        func cut() { #expect(truncate(url.path, off_t(isAtALinesEnd ? half : half - 3)) == 0) }
        let error = #expect(throws: LegacyStoreError.self) {
            // Lines are read on request; the other formats are read completely at the beginning.
            if container != "jsonl" { cut() }
            var items = try source.items()
            _ = try items.next()?.get()
            if container == "jsonl" { cut() }
            while let item = items.next() { _ = try item.get() }
        }
        #expect(error == .changed("\(url.path) was changed while it was being read."))
    }

    /// A page of large values has fewer rows, because 256 rows with values of 16 MB would fill the memory.
    @Test func aPageOfLargeValuesHasFewerRows() throws {
        let url = scratch.url("a")
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE genp (svce TEXT, acct TEXT, data BLOB)")
            for number in 0..<5 {
                let sql = "INSERT INTO genp VALUES (?, ?, zeroblob(9000000))"
                try db.execute(sql: sql, arguments: [account, "\(number)"])
            }
        }
        let pages = try queue.read { db in
            var (counts, row): ([Int], Int64?) = ([], .min)
            let table = try #require(try KeychainTable(db))
            while let start = row {
                let page = try table.page(db, from: start, limit: 256)
                counts.append(page.items.count)
                row = page.next
            }
            return counts
        }
        #expect(pages == [2, 2, 1])
        try queue.close()
        #expect(try LegacyFile.open(url).allItems().map(\.key) == ["0", "1", "2", "3", "4"])
    }

    @Test func aFileWithMoreThan100000UnknownLinesIsRejected() throws {
        let url = try scratch.file("a", line + String(repeating: "{}\n", count: 100_002))
        let error = #expect(throws: LegacyStoreError.self) { _ = try LegacyFile.open(url).allItems() }
        #expect(error?.code == .notALegacyStore)
        #expect(error?.reason.contains("more than 100000 lines") == true)
    }

    @Test(arguments: [true, false])
    func recordsWrittenDuringARemovalAreNotLost(_ isSameSize: Bool) throws {
        let url = try scratch.file("a", String(repeating: line, count: 3))
        let source = try ConcurrentlyChangedSource(url) {
            var before = stat()
            #expect(stat(url.path, &before) == 0)
            let handle = try FileHandle(forUpdating: url)
            try handle.seek(toOffset: UInt64(line.utf8.count * (isSameSize ? 2 : 3)))
            try handle.write(contentsOf: Data(late.utf8))
            try handle.close()
            // The test restores the modification time, because a quick change may also leave this time
            // unchanged.
            #if canImport(Darwin)
            let times = [before.st_atimespec, before.st_mtimespec]
            #else
            let times = [before.st_atim, before.st_mtim]
            #endif
            if isSameSize { #expect(utimensat(AT_FDCWD, url.path, times, 0) == 0) }
        }
        let items = try source.allItems()
        #expect(throws: LegacyStoreError.changed("\(url.path) has changed since it was read.")) {
            try source.remove(items, backup: backup)
        }
        #expect(try LegacyFile.open(url).allItems().map(\.key).contains("B"))
        // No backup remains. A backup of the outdated contents would make a second removal fail.
        #expect(try scratch.names() == ["a"])
    }

    /// A write is not lost if it comes after the removal has compared the file for the last time.
    ///
    /// The backup gets its final name after the last comparison, and the writer waits for this name. If the writer
    /// writes only after the file was renamed, the test tries again.
    @Test func writesAfterTheLastComparisonAreNotLost() throws {
        for attempt in 0..<100 {
            let url = try scratch.file("store \(attempt)", String(repeating: line, count: 3))
            let backup = scratch.url("backup \(attempt)")
            let source = try LegacyFile.open(url)
            let items = try source.allItems()
            let before = try FileStatus(of: url)
            let file = try FileHandle(forUpdating: url)
            try file.seekToEnd()
            let late = Data(late.utf8)
            let writer = LateWriter(after: backup) {
                try? file.write(contentsOf: late)
                return (try? FileStatus(of: url))?.isSameFile(as: before) ?? false
            }
            let result = Result { try source.remove(items, backup: backup) }
            guard try writer.cameInTime() else { continue }
            let reason = "\(url.path) has changed since it was read."
            #expect(throws: LegacyStoreError(.changed, reason: reason)) { try result.get() }
            #expect(try LegacyFile.open(url).allItems().map(\.key) == ["A", "A", "A", "B"])
            #expect(try scratch.names().filter { $0.hasPrefix(".") }.isEmpty)
            return
        }
        Issue.record("The writer never wrote before the removal ended.")
    }

    /// A file that replaces the store during a removal is not lost.
    ///
    /// Another process replaces the store by renaming a complete file, which no backup contains.
    @Test func aFileThatReplacesTheStoreDuringARemovalIsNotLost() throws {
        var inTime = 0
        for attempt in 0..<100 {
            let url = try scratch.file("store \(attempt)", String(repeating: line, count: 3))
            let fresh = try scratch.file("fresh \(attempt)", late)
            let backup = scratch.url("backup \(attempt)")
            let source = try LegacyFile.open(url)
            let items = try source.allItems()
            let writer = LateWriter(after: backup) { rename(fresh.path, url.path) == 0 }
            let result = Result { try source.remove(items, backup: backup) }
            #expect(try writer.cameInTime())
            #expect(try LegacyFile.open(url).allItems().map(\.key) == ["B"])
            #expect(try scratch.names().filter { $0.hasPrefix(".") }.isEmpty)
            // If the removal succeeded, the other file was renamed after the removal, so this attempt tests nothing.
            guard case .failure(let error) = result else { continue }
            #expect(error as? LegacyStoreError == .changed("\(url.path) has changed since it was read."))
            inTime += 1
        }
        #expect(inTime > 0)
    }

    /// A document that a killed removal renamed gets its name back.
    ///
    /// The test creates the files that the killed run would leave.
    @Test func aDocumentThatAKilledRemovalRenamedGetsItsNameBack() throws {
        let url = scratch.url("store")
        _ = try scratch.file(".store.pushbridge-old", line + late)
        _ = try scratch.file(".x.pushbridge-new", line)
        #expect(!LegacyFile.isMissing(url))
        #expect(LegacyFile.leftOvers(beside: url).count == 1)
        let source = try LegacyFile.open(url)
        #expect(try scratch.names() == [".x.pushbridge-new", "store"])
        try source.remove(source.allItems(), backup: backup)
        #expect(try scratch.contents() == ["backup": Data((line + late).utf8)])
        #expect(LegacyFile.isMissing(url))
    }

    /// The old document that a killed removal renamed is removed if it is backed up.
    ///
    /// After the run was killed, the app wrote a new document.
    @Test func theOldStoreOfAKilledRemovalIsRemovedIfItIsBackedUp() throws {
        let url = try scratch.file("store", line)
        let old = try scratch.file(".store.pushbridge-old", line + late)
        _ = try scratch.file("backup", line + late)
        let sentences = try LegacyFile.open(url).cleanUp(backup: backup)
        #expect(sentences.count == 1 && sentences.first?.hasPrefix("Removed \(old.path)") == true)
        #expect(try scratch.names() == ["backup", "store"])
    }

    @Test func theOldStoreThatAKilledRemovalLeftStaysIfItIsTheOnlyCopy() throws {
        let url = try scratch.file("store", line)
        let old = try scratch.file(".store.pushbridge-old", line + late)
        let source = try LegacyFile.open(url)
        #expect(LegacyFile.leftOvers(beside: url).count == 1)
        let sentences = try source.cleanUp(backup: backup)
        #expect(sentences.count == 1 && sentences.first?.hasPrefix("\(old.path) stays") == true)
        let item = try #require(try source.allItems().first)
        let error = #expect(throws: LegacyStoreError.self) { try source.remove([item], backup: backup) }
        #expect(error?.reason == sentences.first)
        #expect(try String(contentsOf: url, encoding: .utf8) == line)
        #expect(try String(contentsOf: old, encoding: .utf8) == line + late)
    }

    @Test func aRemovalWarnsAboutOtherNamesOfTheFile() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.jsonl"))
        try FileManager.default.linkItem(at: url, to: scratch.url("alias"))
        let source = try LegacyFile.open(url)
        let warnings = try source.remove(source.allItems(), backup: backup)
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains("2 names") == true && warnings.first?.contains("alias") == true)
    }

    @Test func aFailedRemovalCanBeRepeatedWithTheSameBackup() throws {
        for name in ["everyday.jsonl", "everyday.sqlite", "everyday.plist"] {
            let url = try scratch.copy(LegacyFixtures.url(name))
            let backup = scratch.url("backup of " + name)
            let twin = try scratch.copy(url, as: "twin of " + name)
            let source = try LegacyFile.open(url)
            let items = try source.allItems()
            let removals = source.isRemovedWhole ? items : Array(items.prefix(1))
            // This removal from a copy writes the backup that an earlier, failed call would have left.
            try LegacyFile.open(twin).remove(removals, backup: backup)
            try source.remove(removals, backup: backup)
            #expect(LegacyFile.isMissing(url) == source.isRemovedWhole)
            if !source.isRemovedWhole {
                let left = try LegacyFile.open(url).allItems().map(\.payload)
                #expect(left == items.dropFirst().map(\.payload))
            }
            #expect(try LegacyFile.open(backup).allItems() == items)
        }
    }

    // MARK: Databases

    @Test(arguments: [
        "CREATE TRIGGER t AFTER DELETE ON genp BEGIN DELETE FROM genp; END",
        "CREATE TRIGGER t BEFORE DELETE ON genp BEGIN SELECT RAISE(IGNORE); END",
        """
        CREATE TABLE copies(data); CREATE TRIGGER t AFTER DELETE ON GENP
        BEGIN INSERT INTO copies VALUES (OLD.data); END
        """,
    ])
    func aRemovalFromATableWithTriggersIsRejected(_ trigger: String) throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { try $0.execute(sql: trigger) }
        try queue.close()
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        let reason = "The keychain table of \(url.path) has triggers; nothing is removed from it."
        #expect(throws: LegacyStoreError.notWritable(reason)) {
            try source.remove(items.prefix(2), backup: backup)
        }
        #expect(try source.allItems() == items)
        #expect(try scratch.names() == ["everyday.sqlite"])
    }

    @Test func anOpenReaderCausesAWarningAndTheLogIsClearedLater() throws {
        let url = try scratch.copy(LegacyFixtures.url("everyday.sqlite"))
        let reader = try DatabaseQueue(path: url.path)
        try reader.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        let source = try LegacyFile.open(url)
        let items = try source.allItems()
        let secret = Data(try #require(items.first).key.utf8)
        let warnings = try reader.inDatabase { db in
            try db.execute(sql: "BEGIN; SELECT count(*) FROM genp")
            let result = Result { try source.remove(items, backup: backup) }
            try db.execute(sql: "ROLLBACK")
            return try result.get()
        }
        #expect(warnings.contains { $0.contains("repeat the removal") })
        func holdsSecret() throws -> Bool {
            try scratch.contents().contains { $0.hasPrefix("everyday") && $1.range(of: secret) != nil }
        }
        #expect(try holdsSecret())
        let rest = try LegacyFile.open(url)
        #expect(try rest.allItems().isEmpty)
        #expect(try rest.cleanUp(backup: backup).isEmpty)
        // The log is checked before the reader closes, because closing the last connection also clears the
        // log.
        #expect(try !holdsSecret())
        try reader.close()
    }

    @Test func freePagesOfTheDatabaseAreOverwritten() throws {
        let old = Data(repeating: 0xAB, count: 3_000)
        let url = try KeychainFile.create(at: scratch.url("a")) { db in
            try db.execute(sql: "PRAGMA secure_delete = OFF")
            for row in 1...40 {
                try db.execute(
                    sql: "INSERT INTO genp VALUES (?, 'g', ?, 'A', ?)",
                    arguments: [row, account, old]
                )
            }
        }
        let queue = try DatabaseQueue(path: url.path)
        try queue.write { db in
            try db.execute(sql: "PRAGMA secure_delete = OFF")
            try db.execute(sql: "DELETE FROM genp WHERE rowid > 2; UPDATE genp SET data = x'00'")
        }
        try queue.close()
        let part = old.prefix(500)
        #expect(try Data(contentsOf: url).range(of: part) != nil)
        let source = try LegacyFile.open(url)
        try source.remove(source.allItems().prefix(1), backup: backup)
        #expect(try Data(contentsOf: url).range(of: part) == nil)
        #expect(try LegacyFile.open(url).allItems().count == 1)
    }

    // MARK: Sizes

    @Test func aValueOfMoreThan16MBIsDamagedInEveryContainer() throws {
        let large = Data(repeating: 0x41, count: LegacyItem.largestValue + 1)
        let database = try KeychainFile.create(at: scratch.url("database")) { db in
            for value in [Data([1]), large, Data([2])] {
                try db.execute(
                    sql: "INSERT INTO genp VALUES (NULL, 'g', ?, 'A', ?)",
                    arguments: [account, value]
                )
            }
        }
        let list: [String: [String: Data]] = [account: ["A": Data([1]), "B": large, "C": Data([2])]]
        let lines = [Data([1]), large, Data([2])].map {
            #"{"svce":"\#(account)","acct":"A","data":"\#($0.base64EncodedString())"}"#
        }
        let text = String(decoding: large, as: UTF8.self)
        let accounts = ["1", text, "2"].map { #"{"issuer":"\#($0)","accountName":"A","timeAdded":1}"# }
        let urls = [
            database,
            try scratch.file(
                "binary",
                PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            ),
            try scratch.file(
                "xml",
                PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            ),
            try scratch.file("lines", lines.joined(separator: "\n")),
            try scratch.file("document", #"{"accounts":[\#(accounts.joined(separator: ","))]}"#),
        ]
        for url in urls {
            let items = try LegacyFile.open(url).allItems()
            let damaged = items.filter { if case .unreadable = $0.payload { true } else { false } }
            #expect(items.count == 3 && damaged.count == 1, "\(url.lastPathComponent)")
        }
    }

    @Test func aListThatRepeatsItsObjectsIsRejected() throws {
        // There is one service. Its dictionary refers sixteen times to the same key and the same value.
        let entries = [UInt8](repeating: 2, count: 16) + [UInt8](repeating: 3, count: 16)
        let objects: [[UInt8]] = [
            [0xD1, 1, 4], ascii(account), [0x51, 0x41], [0x41, 0x00], [0xDF, 0x10, 16] + entries,
        ]
        let url = try scratch.file("bomb", handmade(objects))
        let damage =
            "is a damaged property list: The property list uses the same object for several records, or contains a service twice."
        #expect(throws: LegacyStoreError.notALegacyStore("\(url.path) \(damage)")) {
            try LegacyFile.open(url)
        }
        let twice: [[UInt8]] = [
            [0xD2, 1, 1, 2, 2], ascii(account), [0xD1, 3, 4], [0x51, 0x41], [0x41, 0x00],
        ]
        let other = try scratch.file("twice", handmade(twice))
        #expect(throws: LegacyStoreError.notALegacyStore("\(other.path) \(damage)")) {
            try LegacyFile.open(other)
        }
    }

    @Test func aLongCommentAndASparseFileAreRejectedWithinTenSeconds() throws {
        let comment = "<plist><!--" + String(repeating: "x", count: 20_000_000) + "--><dict></dict></plist>"
        var urls = [try scratch.file("comment", comment)]
        let starts = ["", "{", "bplist00", "<plist>", #"{"svce":"other","acct":"a","data":""}"# + "\n"]
        for (index, start) in starts.enumerated() {
            // The zeros of the sparse part begin either inside or after the bytes from which the format is
            // recognised.
            for spaces in [0, 10_000] {
                let start = start + String(repeating: " ", count: spaces)
                let url = try scratch.file("sparse \(index) \(spaces)", start)
                #expect(truncate(url.path, 100_000_000_000) == 0)
                urls.append(url)
            }
        }
        for url in urls {
            let start = ContinuousClock.now
            let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
            #expect(error?.code == .notALegacyStore)
            #expect(ContinuousClock.now - start < .seconds(10), "\(url.lastPathComponent)")
        }
    }

    // MARK: Support

    private func propertyList(_ keys: [String]) throws -> URL {
        let entries = Dictionary(uniqueKeysWithValues: keys.map { ($0, Data($0.utf8)) })
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: [account: entries],
            format: .binary,
            options: 0
        )
        return try scratch.file("a.plist", bytes)
    }

    private func ascii(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendText(text)
        return bytes
    }

    private func handmade(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var table: [UInt8] = []
        for object in objects {
            table.append(UInt8(bytes.count))
            bytes += object
        }
        let start = bytes.count
        bytes += table + [0, 0, 0, 0, 0, 0, 1, 1]
        for number in [objects.count, 0, start] { bytes.appendBigEndian(UInt64(number), size: 8) }
        return Data(bytes)
    }
}

/// Changes a store as soon as another file exists.
private final class LateWriter: Sendable {
    private let isTooLate = Lock(false)
    private let wasInTime = Lock(false)
    private let end = DispatchSemaphore(value: 0)

    /// Runs a closure as soon as another file exists, or as soon as ``cameInTime()`` is called.
    init(after other: URL, write: @escaping @Sendable () -> Bool) {
        Thread.detachNewThread { [self] in
            while access(other.path, F_OK) != 0, !isTooLate.withValue({ $0 }) {}
            let isInTime = write()
            wasInTime.withValue { $0 = isInTime }
            end.signal()
        }
    }

    /// Stops waiting for the other file, and returns the result of `write`.
    func cameInTime() throws -> Bool {
        isTooLate.withValue { $0 = true }
        try end.wait(for: "the other writer to end")
        return wasInTime.withValue { $0 }
    }
}

/// A store of JSON lines to which another process writes during a removal.
private struct ConcurrentlyChangedSource: DocumentSource {
    let url: URL
    let container = "jsonLines"
    let status: FileStatus
    private let source: JSONLinesSource
    private let change: @Sendable () throws -> Void

    init(_ url: URL, change: @escaping @Sendable () throws -> Void) throws {
        self.url = url
        self.change = change
        status = try FileStatus(of: url)
        source = try #require(try JSONLinesSource(url, status))
    }

    func items() throws(LegacyStoreError) -> LegacyItems { try source.items() }

    func hasOtherContents() throws(LegacyStoreError) -> Bool {
        do {
            try change()
        } catch {
            throw LegacyStoreError(.unreadable, reason: "\(error)")
        }
        return false
    }
}
