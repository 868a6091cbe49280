import PushParity
import Testing

/// The guide's register of divergences is the one that comparisons use.
@Suite struct RegisterTests {
    @Test func theGuideShowsTheRegister() throws {
        let rows = try Guide().lines.filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(Divergence.register.count > 30)
        for divergence in Divergence.register {
            let cells = [
                "`\(divergence.id)`", divergence.legacy, divergence.async, divergence.kept.rawValue,
                divergence.reason,
            ]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(divergence.id)")
        }
    }
}
