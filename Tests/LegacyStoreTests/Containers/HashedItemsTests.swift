import Crypto
import Foundation
import GRDB
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeTestSupport
import Testing

/// In the file of the system's own keychain, names are hashed and values are encrypted.
@Suite("Items with hashed names")
struct HashedItemsTests {
    enum Container: CaseIterable {
        case database, lines, hexadecimalDump, base64Dump, xmlDump, binaryDump
    }

    private static let own = "com.example.bank"
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func hash(_ name: String) -> Data { Data(Insecure.SHA1.hash(data: Data(name.utf8))) }

    private func hexadecimal(_ data: Data) -> String {
        data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Writes one item for each service.
    private func file(_ services: [String], _ container: Container, areDeleted: Bool = false) throws -> URL {
        let url = folder.url("\(container)")
        let value = Data(repeating: 0x80, count: 204)
        let mark = areDeleted ? 1 : 0
        func objects(_ text: (Data) -> Any) -> [[String: Any]] {
            services.enumerated().map { number, service in
                [
                    "svce": text(hash(service)), "acct": text(hash("account \(number)")), "tomb": mark,
                    "data": value.base64EncodedString(), "agrp": "TEAM.group",
                ]
            }
        }
        switch container {
        case .database:
            try DatabaseQueue(path: url.path).write { db in
                try db.execute(sql: "CREATE TABLE genp(svce BLOB, acct BLOB, data BLOB, tomb INTEGER)")
                for (number, service) in services.enumerated() {
                    try db.execute(
                        sql: "INSERT INTO genp VALUES (?, ?, ?, ?)",
                        arguments: [hash(service), hash("account \(number)"), value, mark]
                    )
                }
            }
        case .lines:
            let lines = try objects(hexadecimal).map { try JSONSerialization.data(withJSONObject: $0) }
            try Data(lines.joined(separator: Data("\n".utf8))).write(to: url)
        case .hexadecimalDump:
            try JSONSerialization.data(withJSONObject: ["items": objects(hexadecimal)]).write(to: url)
        case .base64Dump:
            try JSONSerialization.data(withJSONObject: ["items": objects { $0.base64EncodedString() }])
                .write(to: url)
        case .xmlDump, .binaryDump:
            let format: PropertyListSerialization.PropertyListFormat = container == .xmlDump ? .xml : .binary
            let list = ["items": objects { $0 }]
            try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
                .write(to: url)
        }
        return url
    }

    private func reason(_ url: URL, services: [String] = []) throws -> String {
        let error = #expect(throws: LegacyStoreError.self) {
            try LegacyFile.openEvenIfEmpty(url, services: services)
        }
        #expect(error?.code == .notALegacyStore)
        return try #require(error?.reason)
    }

    @Test(arguments: Container.allCases)
    func theItemsOfEachSDKAreCounted(_ container: Container) throws {
        let legacy = LegacyService.allCases.map(\.rawValue)
        let url = try file(legacy + ["com.pingidentity.push.credentials", "com.example.notes"], container)
        let words = "4 items of the legacy SDK's services, 1 item of the successor SDK's services."
        let reason = try reason(url)
        #expect(reason.contains("is the system's own keychain, with hashed names and encrypted values: "))
        #expect(reason.contains(words))
        #expect(
            reason.hasSuffix(" Export the items from the app, or from an encrypted backup of the device.")
        )
    }

    /// Items of services whose names an app chose are counted only if the caller gives these names.
    @Test(arguments: Container.allCases)
    func theItemsOfOtherServicesAreCountedIfTheServiceIsGiven(_ container: Container) throws {
        let url = try file([Self.own, Self.own, "com.example.notes"], container)
        let unknown = try reason(url)
        #expect(unknown.contains("is the system's own keychain"))
        #expect(unknown.contains("None of its 3 items belongs to a service of either SDK"))
        #expect(unknown.contains("`--service NAME`"))
        let known = try reason(url, services: [Self.own])
        #expect(known.contains(": 2 items of the service com.example.bank. Export"))
    }

    @Test(arguments: Container.allCases)
    func deletedItemsDoNotCount(_ container: Container) throws {
        let url = try file(LegacyService.allCases.map(\.rawValue), container, areDeleted: true)
        #expect(try reason(url).hasSuffix("encrypted values. All items in it are deleted."))
    }
}
