import Foundation
@_spi(PushBridgeTools) import LegacyFiles
import LegacyStore
import PushBridgeCore
import PushBridgeTestSupport
import Testing

/// Dumps of a keychain, in which the members can have any names.
@Suite("Dumps of a keychain")
struct KeychainDumpTests {
    enum Form: CaseIterable {
        case json, xml, binary
    }

    /// The forms in which a JSON dump can contain data.
    enum DataForm: CaseIterable {
        case base64, hexadecimal, capitals, brackets, bytes, object, buffer

        func value(_ data: Data) -> Any {
            let digits = data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            return switch self {
            case .base64: data.base64EncodedString()
            case .hexadecimal: digits
            case .capitals: "0x\(digits.uppercased())"
            case .brackets: "<\(digits.prefix(8)) \(digits.dropFirst(8))>"
            case .bytes: data.map { Int($0) }
            case .object: ["data": data.base64EncodedString()]
            case .buffer: ["type": "Buffer", "data": data.map { Int($0) }] as [String: Any]
            }
        }
    }

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func bytes(_ root: [String: Any], _ form: Form) throws -> Data {
        switch form {
        case .json: try JSONSerialization.data(withJSONObject: root)
        case .xml: try PropertyListSerialization.data(fromPropertyList: root, format: .xml, options: 0)
        case .binary: try PropertyListSerialization.data(fromPropertyList: root, format: .binary, options: 0)
        }
    }

    /// Returns the text of a JSON object for each item.
    private func texts() throws -> [String] {
        try StoreFixture.everydayItems().map { item in
            let object = ["svce": item.service, "acct": item.key, "v_Data": item.data.base64EncodedString()]
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
    }

    private func contents(_ url: URL) throws -> [String: LegacyItem.Payload] {
        var contents: [String: LegacyItem.Payload] = [:]
        for item in try LegacyFile.open(url).items() {
            let item = try item.get()
            contents["\(item.service) \(item.key)"] = item.payload
        }
        return contents
    }

    private func expected() throws -> [String: LegacyItem.Payload] {
        var contents: [String: LegacyItem.Payload] = [:]
        for item in try StoreFixture.everydayItems() {
            let service = try #require(LegacyService(rawValue: item.service))
            contents["\(service) \(item.key)"] = .archive(item.data)
        }
        return contents
    }

    private func refusal(_ url: URL) throws -> String {
        let error = #expect(throws: LegacyStoreError.self) { try LegacyFile.open(url) }
        #expect(error?.code == .notALegacyStore)
        return try #require(error?.reason)
    }

    // MARK: Damaged dumps

    /// An XML dump that is cut is rejected, because the missing part may contain items.
    @Test func anXMLDumpThatIsCutIsRejected() throws {
        let objects: [[String: Any]] = try StoreFixture.everydayItems().map { item in
            ["svce": item.service, "acct": item.key, "v_Data": item.data]
        }
        let text = String(decoding: try bytes(["keychain": ["items": objects]], .xml), as: UTF8.self)
        #expect(try contents(folder.file("whole", text)) == expected())
        var cuts: [String.Index] = []
        var rest = text[...]
        while let range = rest.range(of: "</dict>") {
            cuts += [range.lowerBound, range.upperBound]
            rest = rest[range.upperBound...]
        }
        #expect(cuts.count == 2 * (objects.count + 2))
        cuts += (3..<20).map { text.index(text.startIndex, offsetBy: text.count * $0 / 20) }
        for cut in cuts {
            let reason = try refusal(folder.file("cut", String(text[..<cut])))
            #expect(reason.hasSuffix("The end of the property list is missing."))
        }
        let broken = text.replacingOccurrences(of: "</array>", with: "")
        let reason = try refusal(folder.file("broken", broken))
        #expect(reason.contains("is a damaged dump of a keychain: "))
        #expect(reason.hasSuffix("The property list is not well-formed XML."))
    }

    @Test func aJSONDumpThatIsCutIsRejected() throws {
        let text = #"{"items":[\#(try texts().joined(separator: ","))]}"#
        for position in stride(from: 10, to: text.utf8.count, by: 97) {
            let cut = String(decoding: Array(text.utf8).prefix(position), as: UTF8.self)
            #expect(try refusal(folder.file("cut", cut)).contains(" at line 1, column "))
        }
    }

    @Test func aBinaryDumpThatRepeatsItsObjectsIsRejected() throws {
        var writer = PropertyListWriter()
        let data = writer.append(Data(repeating: 0, count: 100_000))
        let keys = ["svce", "acct", "data"].map { writer.append(.string($0)) }
        let service = writer.append(.string(LegacyService.account.rawValue))
        let key = writer.append(.string("A"))
        let objects = (0..<500).map { _ in
            writer.append(dictionary: [(keys[0], service), (keys[1], key), (keys[2], data)])
        }
        let root = writer.append(array: objects)
        writer.finish(root: root)
        let reason = try refusal(folder.file("bomb", Data(writer.take())))
        let damage =
            "is a damaged dump of a keychain: The property list uses the same object for several records, or contains a service twice."
        #expect(reason.hasSuffix(damage))
    }

    @Test func aDumpThatIsTooDeepIsRejected() throws {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        let reason = try refusal(folder.file("deep", #"{"items":[\#(try texts()[0])],"more":\#(deep)}"#))
        #expect(reason.hasSuffix("Some values are nested more than 64 levels deep."))
    }

    // MARK: Files with several JSON values

    @Test(arguments: [
        (#"{"item":"#, "}", "\n"), ("[", "]", "\n"), (#"{"item":"#, "}", ""), ("[", "]\r", "\n\n"),
        ("\u{FEFF}[", "]", " "), ("", "", ""),
    ])
    func everyValueOfAFileIsRead(_ start: String, _ end: String, _ separator: String) throws {
        let text = try texts().map { "\(start)\($0)\(end)" }.joined(separator: separator)
        #expect(try contents(folder.file("values", text)) == expected())
    }

    @Test func aValueBeforeTheDumpIsSkipped() throws {
        let text = #"{"version":1}"# + "\n" + #"{"items":[\#(try texts().joined(separator: ","))]}"#
        #expect(try contents(folder.file("values", text)) == expected())
    }

    @Test(arguments: [
        ("\nthe end", "From line 2, column 1 on, the document is not well-formed JSON."),
        (",{}", "the document is not well-formed JSON."),
        ("}", "the document is not well-formed JSON."),
        ("\n{\"items\":[", "The document is incomplete: it ends at line 2, column 11."),
    ])
    func aRemainderThatIsNotJSONIsAnError(_ rest: String, _ reason: String) throws {
        let text = #"{"items":[\#(try texts().joined(separator: ","))]}"# + rest
        let refusal = try refusal(folder.file("dump", text))
        #expect(refusal.contains("is a damaged dump of a keychain: "))
        #expect(refusal.hasSuffix(reason))
    }

    /// Items that are separated by commas but not enclosed in the brackets of a list are rejected.
    @Test func itemsWithoutTheBracketsOfAListAreRejected() throws {
        let text = try texts().map { #"{"item":\#($0)}"# }.joined(separator: ",\n")
        let reason = try refusal(folder.file("dump", text))
        #expect(reason.contains("is a damaged dump of a keychain: From line 1, column "))
    }

    /// A file of JSON lines is read as JSON lines, even if its first line is not an item.
    @Test func jsonLinesAreNotADump() throws {
        let text = #"{"version":1}"# + "\n" + (try texts().joined(separator: "\n"))
        let source = try LegacyFile.open(folder.file("lines", text))
        #expect(source.container == "jsonLines")
        #expect(try source.items().map { try $0.get() }.count == StoreFixture.everydayItems().count + 1)
    }

    // MARK: Names and forms

    @Test(
        arguments: [
            ["Service", "Account", "Data"], ["kSecAttrService", "kSecAttrAccount", "kSecValueData"],
            ["svc", "usr", "payload"], ["a", "b", "c"],
        ],
        Form.allCases
    )
    func anItemIsFoundByItsValues(_ names: [String], _ form: Form) throws {
        let objects: [[String: Any]] = try StoreFixture.everydayItems().map { item in
            [
                names[0]: item.service, names[1]: item.key, "kSecAttrAccessGroup": "TEAM.group",
                "labl": "label",
                names[2]: form == .json ? item.data.base64EncodedString() as Any : item.data as Any,
            ]
        }
        let url = try folder.file("dump", bytes(["keychain": [["items": objects]]], form))
        #expect(try contents(url) == expected())
        #expect(try LegacyFile.open(url).items().allSatisfy { try $0.get().accessGroup == "TEAM.group" })
    }

    /// An item on its own line is found by its values, although its members do not have the names of the JSON lines
    /// format.
    @Test(arguments: [["Service", "Account", "Data"], ["service", "usr", "payload"]])
    func anItemOnItsOwnLineIsFoundByItsValues(_ names: [String]) throws {
        let lines = try StoreFixture.everydayItems().map { item in
            let object = [
                names[0]: item.service, names[1]: item.key, names[2]: item.data.base64EncodedString(),
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
        #expect(try contents(folder.file("dump", lines.joined(separator: "\n"))) == expected())
    }

    @Test(arguments: DataForm.allCases)
    func dataIsReadInEachForm(_ dataForm: DataForm) throws {
        let objects: [[String: Any]] = try StoreFixture.everydayItems().map { item in
            ["svce": item.service, "acct": item.key, "v_Data": dataForm.value(item.data)]
        }
        let url = try folder.file("dump", bytes(["items": objects], .json))
        #expect(try contents(url) == expected())
    }

    @Test(arguments: Form.allCases)
    func aListOfBytesIsData(_ form: Form) throws {
        let objects: [[String: Any]] = try StoreFixture.everydayItems().map { item in
            ["svce": item.service, "acct": item.key, "v_Data": item.data.map { Int($0) }]
        }
        let url = try folder.file("dump", bytes(["items": objects], form))
        #expect(try contents(url) == expected())
    }

    /// In JSON lines, data is read from hexadecimal digits as well as from base64.
    @Test func hexadecimalDigitsInJSONLinesAreRead() throws {
        let lines = try StoreFixture.everydayItems().map { item in
            let object: [String: Any] = [
                "svce": item.service, "acct": item.key, "data": DataForm.hexadecimal.value(item.data),
            ]
            return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
        }
        let url = try folder.file("lines", lines.joined(separator: "\n"))
        #expect(try LegacyFile.open(url).container == "jsonLines")
        #expect(try contents(url) == expected())
    }

    /// A dump can be an object of the form `{service: {account: value}}`.
    @Test(arguments: Form.allCases)
    func aMapOfServicesIsRead(_ form: Form) throws {
        var services: [String: [String: Any]] = [:]
        for item in try StoreFixture.everydayItems() {
            let value = form == .json ? item.data.base64EncodedString() as Any : item.data as Any
            services[item.service, default: [:]][item.key] = value
        }
        let url = try folder.file("dump", bytes(["keychain": services], form))
        #expect(try contents(url) == expected())
        guard form == .json else { return }
        #expect(try contents(folder.file("map", bytes(services, form))) == expected())
    }

    /// An item whose value cannot be read is not left out; it is returned as damaged.
    @Test(arguments: [
        (#""v_Data":"not base64!""#, "The value is not base64."), (#""v_Data":7"#, "The value is not data."),
        (#""labl":"x""#, "The item has no value."),
    ])
    func aValueThatCannotBeReadIsADamagedItem(_ member: String, _ reason: String) throws {
        let service = LegacyService.account.rawValue
        let text = #"{"items":[{"svce":"\#(service)","acct":"A-B",\#(member)}]}"#
        let items = try LegacyFile.open(folder.file("dump", text)).items().map { try $0.get() }
        #expect(items.map(\.key) == ["A-B"])
        #expect(items.map(\.payload) == [.unreadable(LegacyRecordError(.damaged, reason: reason))])
    }

    @Test(arguments: Form.allCases)
    func anEncryptedValueUnderAnyNameIsReturnedUnchanged(_ form: Form) throws {
        let data = Data(repeating: 0x80, count: 200)
        let object: [String: Any] = [
            "a": LegacyService.account.rawValue, "b": "A-B",
            "c": form == .json ? data.base64EncodedString() as Any : data as Any,
        ]
        let url = try folder.file("dump", bytes(["items": [object]], form))
        let items = try LegacyFile.open(url).items().map { try $0.get() }
        #expect(items.map(\.key) == ["A-B"])
        #expect(items.map(\.payload) == [.archive(data)])
    }
}
