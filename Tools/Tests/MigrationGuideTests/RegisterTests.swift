import PingAMSimulator
import PushBridgeSymbols
import PushParity
import Testing

/// The registers of divergences in the documents are the same as those that the comparisons use.
@Suite struct RegisterTests {
    @Test func theGuideContainsTheRegisterOfDivergences() throws {
        let rows = try rows(of: Guide.divergences)
        #expect(Divergence.register.count > 10)
        for divergence in Divergence.register {
            let cells = [
                first(divergence.id), divergence.legacy, divergence.async, divergence.reason,
            ]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(divergence.id)")
        }
    }

    /// Parity has a condition for each registered divergence between the APIs, and for no other id.
    @Test func parityExplainsExactlyTheRegisteredDivergences() {
        let registered = RegisteredDivergence.Register.betweenAPIs.divergences.map(\.id)
        #expect(Divergence.register.map(\.id).sorted() == registered.sorted())
    }

    @Test func theGuideContainsTheDivergencesBetweenVersions() throws {
        let rows = try rows(of: Guide.serverVersions)
        for divergence in VersionDivergence.register {
            let cells = [
                first(divergence.id), divergence.version.rawValue, divergence.before, divergence.after,
            ]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(divergence.id)")
        }
    }

    @Test func theRollOutPageContainsTheDivergencesInPlace() throws {
        let rows = try Guide("docs/roll-out.md").lines.map(String.init)
        for row in Divergence.inPlace {
            let cells = [first(row.id), row.legacy, row.async, row.reason]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(row.id)")
        }
    }

    @Test func theGuideShowsTheEquivalences() throws {
        let rows = try rows(of: Guide.divergences)
        #expect(Equivalence.all.count > 20)
        for equivalence in Equivalence.all {
            let row = "| \(first(equivalence.id)) | \(equivalence.legacy) | \(equivalence.async) |"
            #expect(rows.contains(row), "\(equivalence.id)")
        }
    }

    private func rows(of page: String) throws -> [String] {
        try Guide(page).lines.filter { $0.hasPrefix("| <a id=") }.map(String.init)
    }

    private func first(_ id: String) -> String { "<a id=\"\(id)\"></a>`\(id)`" }
}
