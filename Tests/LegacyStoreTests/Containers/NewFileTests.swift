import Foundation
import GRDB
@_spi(PushBridgeTools) import PushBridgeFiles
import PushBridgeTestSupport
import Testing

@_spi(PushBridgeTools) @testable import LegacyFiles
@testable import LegacyStore

struct NewFileTests {
    private let scratch: TemporaryFolder
    private var url: URL { scratch.url("a") }

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test func theFilesOfAKilledRunAreOverwritten() throws {
        try scratch.file(".a.pushbridge-new", "a secret that is longer than what follows")
        try scratch.file(".a.pushbridge-new-journal", "a journal")
        let file = try NewFile(claiming: url)
        try file.write(Array("new".utf8))
        #expect(try scratch.names() == [".a.pushbridge-new"])
        #expect(try file.publish())
        #expect(try scratch.contents() == ["a": Data("new".utf8)])
        #expect(try scratch.mode("a") == 0o600)
    }

    @Test func aFileThatAnotherRunWritesIsLocked() throws {
        let first = try NewFile(claiming: url)
        try first.write(Array("first".utf8))
        #expect(throws: LegacyStoreError(.locked, reason: "\(url.path) is being written by another run.")) {
            try JSONLinesStoreWriter(url)
        }
        #expect(try first.publish())
        let second = try NewFile(claiming: url)
        #expect(try scratch.contents() == ["a": Data("first".utf8), ".a.pushbridge-new": Data()])
        try second.replace()
        #expect(try scratch.contents() == ["a": Data()])
    }

    /// The unfinished database of a killed run is removed.
    ///
    /// The unfinished file of a running process remains.
    @Test func draftsOfKilledRunsAreRemoved() throws {
        let alive = try NewFile(for: scratch.path("b"))
        let names = try scratch.names()
        try scratch.file(".new-abc", "half a database")
        try scratch.file(".new-abc-journal", "and its journal")
        try scratch.file("new-abc", "another file")
        #expect(LeftOver.drafts(in: scratch.url).map(\.url.lastPathComponent) == [".new-abc"])
        try LegacyFile.removeDrafts(in: scratch.url)
        #expect(try scratch.names() == names + ["new-abc"])
        #expect(try alive.publish())
        #expect(try scratch.names() == ["b", "new-abc"])
    }

    /// A finished file is not emptied if it has both its final and its temporary name.
    ///
    /// A run leaves both names if it is killed after it has linked the final name, and before it removes the temporary
    /// name.
    @Test func aFinishedFileIsNotEmptied() throws {
        try scratch.file("a", "finished")
        try FileManager.default.linkItem(at: url, to: scratch.url(".a.pushbridge-new"))
        var file: NewFile? = try NewFile(claiming: url)
        #expect(try file.map { _ in try String(contentsOf: url, encoding: .utf8) } == "finished")
        file = nil
        #expect(try scratch.contents() == ["a": Data("finished".utf8)])
    }

    @Test func unfinishedFilesCanBeRemovedImmediately() throws {
        let (claimed, named) = (try NewFile(claiming: url), try NewFile(for: scratch.path("b")))
        let finished = try NewFile(claiming: scratch.url("c"))
        #expect(try finished.publish())
        #expect(try scratch.names().count == 3)
        let folder = scratch.url("").path
        UnfinishedFiles.remove { $0.hasPrefix(folder) }
        #expect(try scratch.names() == ["c"])
        withExtendedLifetime((claimed, named)) {}
    }

    @Test func aFileWithALongNameCanBeWritten() throws {
        let url = scratch.url(String(repeating: "é", count: 120))
        #expect(try NewFile(claiming: url).publish())
        #expect(try scratch.names().count == 1)
    }

    @Test(arguments: [
        (ResultCode.SQLITE_FULL, "no space left on device"), (.SQLITE_IOERR, "input/output error"),
        (.SQLITE_AUTH, "SQLite reports error 23"),
    ])
    func theErrorExplainsAFaultOfTheDisk(_ code: ResultCode, _ explanation: String) {
        let reason = "\(url.path) cannot be written: \(explanation)."
        #expect(throws: LegacyStoreError(.notWritable, reason: reason)) {
            try writingDatabase(url) { throw DatabaseError(resultCode: code, message: "not an error") }
        }
    }
}
