import Testing

@testable import pushbridge_try

/// QR codes in a terminal.
@Suite struct QRTerminalTests {
    private let code: QRCode

    init() throws {
        code = try #require(QRCode(Array("HELLO".utf8)))
    }

    @Test(arguments: [QRCode.standardMargin, QRCode.narrowMargin])
    func halfBlocksShowEveryModuleAndTheMargin(_ margin: Int) {
        let lines = code.halfBlocks(margin: margin).map { $0.map(Self.pair) }
        let rows = lines.flatMap { [$0.map(\.upper), $0.map(\.lower)] }
        for row in rows.indices {
            #expect(rows[row] == (-margin..<code.size + margin).map { code[row - margin, $0] })
        }
        #expect(rows.count >= code.size + 2 * margin)
    }

    @Test func coloursDoNotDependOnTheTerminal() throws {
        let text = try #require(code.terminalText(columns: 80))
        let lines = text.split(separator: "\n")
        #expect(
            lines.filter { !$0.hasPrefix("\u{1B}[38;5;16;48;5;231m") || !$0.hasSuffix("\u{1B}[0m") } == []
        )
        #expect(lines.count == 15)
    }

    @Test func aNarrowTerminalReducesTheMarginOrOmitsTheCode() {
        #expect(code.terminalText(columns: 29) == code.terminalText(columns: 200))
        #expect(code.terminalText(columns: 25)?.count ?? 0 < code.terminalText(columns: 29)?.count ?? 0)
        #expect(code.terminalText(columns: 24) == nil)
    }

    /// A registration URI has about 500 bytes, so each row of its QR code has 77 modules.
    @Test func enrolmentFitsIntoEightyColumns() throws {
        let large = try #require(QRCode(Array(repeating: UInt8(ascii: "a"), count: 500)))
        #expect(large.size == 77)
        let text = try #require(large.terminalText(columns: 80))
        #expect(text.split(separator: "\n").count == 40)
        #expect(large.terminalText(columns: 78) == nil)
    }

    private static func pair(_ character: Character) -> (upper: Bool, lower: Bool) {
        ("█▀".contains(character), "█▄".contains(character))
    }
}
