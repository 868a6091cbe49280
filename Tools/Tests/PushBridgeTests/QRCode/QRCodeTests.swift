import Testing

@testable import pushbridge_try

/// Complete QR codes.
@Suite struct QRCodeTests {
    @Test(arguments: QRReference.matrices)
    func theCodeMatchesTheCodesOfOtherEncoders(_ reference: QRReference) throws {
        let code = try #require(QRCode(Array(reference.text.utf8)))
        #expect(code.rows == reference.rows)
    }

    @Test(arguments: [QRDigest.low, .medium], 1...40)
    func everyVersionMatchesTheCodesOfOtherEncoders(_ reference: QRDigest, _ version: Int) throws {
        let capacity = reference.capacities[version - 1]
        let content = QRDigest.content(capacity)
        let mask = QRMask.allCases[version % 8]
        let code = try #require(QRCode(content, level: reference.level, mask: mask))
        #expect(code.version.number == version)
        let modules = code.modules.joined().map { UInt8(ascii: $0 ? "1" : "0") }
        #expect(QRDigest.fnv1a(modules) == reference.digests[version - 1])
    }

    @Test(arguments: [QRDigest.low, .medium])
    func contentAboveACapacityRequiresTheNextVersion(_ reference: QRDigest) {
        let versions = reference.capacities.map {
            QRVersion.smallest(holding: $0 + 1, level: reference.level)?.number
        }
        #expect(versions == (2...40).map { $0 } + [nil])
    }

    @Test func tooLargeContentMakesNoCode() {
        #expect(QRCode(QRDigest.content(2_954)) == nil)
    }
}

extension QRCode {
    var modules: [[Bool]] {
        (0..<size).map { row in (0..<size).map { self[row, $0] } }
    }

    var rows: String {
        modules.map { row in row.map { $0 ? "#" : "." }.joined() }.joined(separator: "\n")
    }
}

extension QRDigest: CustomTestStringConvertible {
    var testDescription: String { "\(level)" }
}

extension QRReference: CustomTestStringConvertible {
    var testDescription: String { text }
}
