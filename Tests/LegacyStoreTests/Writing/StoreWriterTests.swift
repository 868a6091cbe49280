import Foundation
import PushBridgeCore
import PushBridgeFiles
import PushBridgeStore
import PushBridgeTestSupport
import Testing

@testable import LegacyFiles
@testable import LegacyStore

struct StoreWriterTests {
    private let scratch: TemporaryFolder
    private var url: URL { scratch.url("store") }

    init() throws {
        scratch = try TemporaryFolder()
    }

    @Test(arguments: Container.allCases, ["everyday.sqlite", "edges.sqlite"])
    fileprivate func recordsRoundTrip(_ container: Container, _ fixture: String) throws {
        let records = try StoreFixture.items(fixture).map { try $0.decoded().record }
        let writer = try container.writer(url)
        for record in records { try writer.write(record) }
        try writer.finish()
        let source = try LegacyFile.open(url)
        #expect(source.container == container.rawValue)
        #expect(try source.allItems().map { try $0.decoded().record } == records)
        #expect(try FileStatus(of: url).permissions == 0o600)
        #expect(try scratch.names() == ["store"])
    }

    @Test(arguments: Container.allCases)
    fileprivate func archivesRoundTripByteForByte(_ container: Container) throws {
        let items = try StoreFixture.items("damaged.sqlite")
        let writer = try container.writer(url)
        for item in items {
            guard case .archive(let archive) = item.payload else { continue }
            try writer.write(archive: archive, service: item.service, key: item.key)
        }
        try writer.finish()
        let expected = container == .propertyList ? items.byService : items
        #expect(try LegacyFile.open(url).allItems().map(\.payload) == expected.map(\.payload))
    }

    @Test(arguments: Container.allCases)
    fileprivate func recordsWithTheSameKeyAreAllKept(_ container: Container) throws {
        let writer = try container.writer(url)
        let archives = (0..<4).map { Data([$0]) }
        for (archive, key) in zip(archives, ["A-B-C", "A-B-C", "A-B-C#2", "A-B-C"]) {
            try writer.write(archive: archive, service: .account, key: key)
        }
        try writer.finish()
        let items = try LegacyFile.open(url).allItems()
        #expect(items.map(\.payload) == archives.map { .archive($0) })
        let isList = container == .jsonLines
        #expect(isList || items.map(\.key) == ["A-B-C", "A-B-C#2", "A-B-C#2#2", "A-B-C#3"])
    }

    @Test(arguments: Container.allCases)
    fileprivate func anExistingFileIsRefused(_ container: Container) throws {
        _ = try scratch.file("store", "precious")
        #expect(throws: LegacyStoreError(.notWritable, reason: "\(url.path) exists already.")) {
            try container.writer(url)
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == "precious")
        let writer = try container.writer(url, replacing: true)
        try writer.write(archive: Data([1]), service: .account, key: "A")
        #expect(try String(contentsOf: url, encoding: .utf8) == "precious")
        try writer.finish()
        #expect(try LegacyFile.open(url).allItems().count == 1)
    }

    @Test(arguments: Container.allCases)
    fileprivate func aFileThatAppearsDuringWritingIsRefused(_ container: Container) throws {
        let writer = try container.writer(url)
        _ = try scratch.file("store", "precious")
        #expect(throws: LegacyStoreError(.notWritable, reason: "\(url.path) exists already.")) {
            try writer.finish()
        }
        #expect(try String(contentsOf: url, encoding: .utf8) == "precious")
    }

    @Test(arguments: Container.allCases)
    fileprivate func anUnfinishedStoreLeavesNoFile(_ container: Container) throws {
        var writer: (any LegacyStoreWriting)? = try container.writer(url)
        try writer?.write(archive: Data([1]), service: .account, key: "A")
        writer = nil
        #expect(try scratch.names().isEmpty)
    }

    @Test(arguments: Container.allCases)
    fileprivate func aFinishedStoreAcceptsNoRecords(_ container: Container) throws {
        let writer = try container.writer(url)
        try writer.finish()
        let error = LegacyStoreError(.notWritable, reason: "\(url.path) is finished already.")
        #expect(throws: error) { try writer.write(archive: Data(), service: .account, key: "A") }
        #expect(throws: error) { try writer.finish() }
    }

    @Test func anEmptyPropertyListIsAStore() throws {
        try Container.propertyList.writer(url).finish()
        #expect(try LegacyFile.open(url).allItems().isEmpty)
    }

    @Test func aStoreInAMissingFolderIsRejected() throws {
        let url = scratch.url("missing").appendingPathComponent("store")
        let reason = "\(url.path) cannot be written: no such file or directory."
        #expect(throws: LegacyStoreError(.notWritable, reason: reason)) { try JSONLinesStoreWriter(url) }
    }
}

extension [LegacyItem] {
    /// The items grouped by service, which is their order in a property list.
    fileprivate var byService: [LegacyItem] {
        LegacyService.allCases.flatMap { service in filter { $0.service == service } }
    }
}

private enum Container: String, CaseIterable {
    case sqlite
    case propertyList
    case jsonLines

    func writer(_ url: URL, replacing: Bool = false) throws -> any LegacyStoreWriting {
        switch self {
        case .sqlite: try SQLiteStoreWriter(url, date: Date(timeIntervalSince1970: 0), replacing: replacing)
        case .propertyList: try PropertyListStoreWriter(url, replacing: replacing)
        case .jsonLines: try JSONLinesStoreWriter(url, replacing: replacing)
        }
    }
}
