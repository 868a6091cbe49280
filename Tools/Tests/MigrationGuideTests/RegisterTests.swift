import PingAMSimulator
import PushParity
import Testing

/// The guide's register of divergences is the one that comparisons use.
@Suite struct RegisterTests {
    @Test func theGuideShowsTheRegister() throws {
        let rows = try Guide().lines.filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(Divergence.register.count > 10)
        for divergence in Divergence.register {
            let cells = [
                "`\(divergence.id)`", divergence.legacy, divergence.async, divergence.reason,
            ]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(divergence.id)")
        }
    }

    @Test func theGuideShowsWhatDiffersBetweenVersions() throws {
        let rows = try Guide().lines.filter { $0.hasPrefix("| `") }.map(String.init)
        for divergence in VersionDivergence.register {
            let cells = [
                "`\(divergence.id)`", divergence.version.rawValue, divergence.before, divergence.after,
            ]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(divergence.id)")
        }
    }

    @Test func theRollOutShowsWhatIsDifferentInPlace() throws {
        let rows = try Guide("docs/roll-out.md").lines.map(String.init)
        for row in Divergence.inPlace {
            let cells = ["`\(row.id)`", row.legacy, row.async, row.reason]
            #expect(rows.contains("| \(cells.joined(separator: " | ")) |"), "\(row.id)")
        }
    }

    @Test func theGuideShowsTheEquivalences() throws {
        let rows = try Guide().lines.filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(Equivalence.all.count > 20)
        for equivalence in Equivalence.all {
            let row = "| `\(equivalence.id)` | \(equivalence.legacy) | \(equivalence.async) |"
            #expect(rows.contains(row), "\(equivalence.id)")
        }
    }
}
