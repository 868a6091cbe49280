import Testing

@testable import pushbridge_try

/// The parts of a QR code, compared with the examples of ISO/IEC 18004.
@Suite struct QRPartsTests {
    @Test func generatorPolynomialMatchesTheStandard() {
        // Table A.1: 2 to the powers of 87, 229, 146, 149, 238, 102 and 21.
        #expect(ReedSolomon(codewords: 7).generator == [127, 122, 154, 164, 11, 68, 117])
    }

    @Test func correctionCodewordsMatchTheStandardsExample() {
        // Annex I: the text 01234567 in version 1-M.
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let correction: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(ReedSolomon(codewords: 10).codewords(of: data) == correction)
    }

    @Test func formatInformationMatchesTheStandard() {
        let low = QRMask.allCases.map { QRInformation.format(.low, $0) }
        let medium = QRMask.allCases.map { QRInformation.format(.medium, $0) }
        #expect(low == [0x77C4, 0x72F3, 0x7DAA, 0x789D, 0x662F, 0x6318, 0x6C41, 0x6976])
        #expect(medium == [0x5412, 0x5125, 0x5E7C, 0x5B4B, 0x45F9, 0x40CE, 0x4F97, 0x4AA0])
    }

    @Test func versionInformationMatchesTheStandard() {
        let versions = [7, 8, 21, 32, 40].map(QRInformation.version)
        #expect(versions == [0x07C94, 0x085BC, 0x15683, 0x209D5, 0x28C69])
    }

    @Test func alignmentCentresMatchTheStandard() {
        let centres = [1, 2, 7, 14, 32, 36, 40].map { QRVersion.all[$0 - 1].alignmentCentres }
        #expect(
            centres == [
                [], [6, 18], [6, 22, 38], [6, 26, 46, 66], [6, 34, 60, 86, 112, 138],
                [6, 24, 50, 76, 102, 128, 154], [6, 30, 58, 86, 114, 142, 170],
            ]
        )
    }

    @Test func dataIsPaddedWithAlternatingBytes() {
        let codewords = QRVersion.all[0].dataCodewords(for: Array("AB".utf8), level: .medium)
        #expect(codewords.prefix(4) == [0x40, 0x24, 0x14, 0x20])
        #expect(codewords.dropFirst(4).prefix(3) == [0xEC, 0x11, 0xEC])
        #expect(codewords.count == 16)
    }
}
