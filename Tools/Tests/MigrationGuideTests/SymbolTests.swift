import Foundation
import PushBridgeSymbols
import Testing

/// The symbol table contains every public symbol of the legacy API, and the page about symbols shows the
/// table.
@Suite struct SymbolTests {
    private let table = SymbolTable.record

    @Test(arguments: ["Sources/FRAuthenticator", "Sources/FRCore"])
    func everySymbolIsInTheTable(_ folder: String) throws {
        let symbols = try PublicSymbol.all(in: folder)
        #expect(symbols.count > 60)
        for symbol in symbols {
            let entry =
                symbol.owner.map {
                    table.entry(owners: [$0], name: symbol.name) ?? table.entry(type: symbol.name)
                }
                ?? table.entry(type: symbol.name) ?? table.entry(owners: [], name: symbol.name)
            #expect(entry != nil, "\(symbol)")
        }
    }

    /// The table must have an entry for each declaration of the SDK, and not only for the type that contains
    /// the declaration.
    ///
    /// The declarations come from the SDK's complete list.
    @Test func everyDeclarationOfTheSDKIsInTheTable() throws {
        let declarations = try LegacyDeclaration.all()
        #expect(declarations.count > 450)
        for declaration in declarations {
            #expect(declaration.entry(in: table) != nil, "\(declaration)")
        }
        let unknown = LegacyDeclaration(owners: ["FRAClient"], name: "bindDevice", isType: false)
        #expect(unknown.entry(in: table) == nil)
    }

    @Test func theGuideContainsTheSymbolTable() throws {
        let guide = try Guide(Guide.symbols).lines.joined(separator: "\n")
        #expect(table.sections.count > 5)
        for section in table.sections {
            #expect(guide.contains(section.markdown), "pushbridge audit --table prints \(section.anchor)")
        }
    }

    /// The page of the registers shows the same differences in behaviour as the audit.
    @Test func theGuideShowsEveryDifferenceInBehaviour() throws {
        let lines = try Guide(Guide.divergences).lines.map(String.init)
        let between = RegisteredDivergence.Register.betweenAPIs.divergences
        let fromSDK = RegisteredDivergence.Register.fromSDK.divergences
        for divergence in between + fromSDK {
            let id = divergence.id
            let cells = ["<a id=\"\(id)\"></a>`\(id)`", divergence.legacy, divergence.here, divergence.why]
            #expect(
                lines.contains { $0.hasPrefix("| \(cells.joined(separator: " | ")) |") },
                "\(divergence.id)"
            )
        }
        let register = lines.drop { !$0.hasPrefix("| id | the ForgeRock SDK |") }.dropFirst(2)
            .prefix { $0.hasPrefix("|") }
        #expect(register.count == fromSDK.count)
    }

    /// If a divergence applied to no symbol of the table, the audit would never report this divergence.
    @Test func everyDivergenceAppliesToASymbolOfTheTable() {
        let symbols = table.sections.flatMap(\.rows).flatMap(\.pairs).map(\.subject)
        for divergence in RegisteredDivergence.Register.allCases.flatMap(\.divergences) {
            let isMet = symbols.contains { symbol in
                divergence.isMet(
                    owners: symbol.owner.map { [$0] } ?? [],
                    name: symbol.name,
                    as: divergence.only ?? .call
                )
            }
            let names = divergence.metBy.split { !$0.isLetter }.compactMap { table.entry(type: String($0)) }
            #expect(isMet || !names.isEmpty, "\(divergence.id)")
        }
    }

    /// The decision of a row is stated either in one sentence of the row, or in the register of divergences.
    ///
    /// If the register states the decision, each symbol of the row has a divergence that applies to every use of
    /// the symbol (every `SymbolRole`).
    @Test func everyDecisionIsStatedInOneSentence() {
        let register = RegisteredDivergence.Register.betweenAPIs.divergences
        for row in table.sections.flatMap(\.rows) {
            let isDecided = row.work == .needsDecision
            if !row.decision.isEmpty {
                #expect(isDecided && row.decision.hasSuffix("."), "\(row.subject)")
                #expect(row.decision.contains(": decide "), "\(row.subject)")
                #expect(!row.decision.dropLast().contains(". "), "\(row.subject)")
                continue
            }
            for (symbol, _) in row.pairs where isDecided {
                let owners = symbol.owner.map { [$0] } ?? []
                let isMet = register.contains { divergence in
                    SymbolRole.allCases.allSatisfy {
                        divergence.isMet(owners: owners, name: symbol.name, as: $0)
                    }
                }
                #expect(isMet, "\(symbol)")
            }
        }
    }

    /// Each symbol of the class `rename` has exactly one new form, without a condition.
    ///
    /// So these symbols can be renamed automatically with the audit's JSON.
    @Test func renamedSymbolsHaveOneForm() throws {
        let optional = try #require(table.entry(owners: ["PushNotification"], name: "timeAdded"))
        #expect(optional.row.work == .needsDecision)
        for row in table.sections.flatMap(\.rows) where row.work == .rename {
            for (symbol, becomes) in row.pairs {
                #expect(becomes.count { $0 == "`" } == 2, "\(symbol): \(becomes)")
            }
        }
    }

    @Test func overloadsAndPairsHaveSeparateForms() throws {
        let accept = "accept(challengeResponse:onSuccess:onError:)"
        let entry = try #require(table.entry(owners: ["PushNotification"], name: accept))
        #expect(entry.becomes == "`approveChallengeNotification(_:challengeResponse:)`")
        #expect(table.entry(owners: ["PushNotification"], name: "timeExpired")?.becomes == "`expiresAt`")
        #expect(table.entry(owners: ["Request", "HTTPMethod"], name: "GET")?.row.work == .stays)
        #expect(
            table.member(selector: "getAllNotificationsWithMechanism:", of: "FRAClient")
                == "getAllNotifications"
        )
        #expect(table.member(selector: "setDisplayIssuer:", of: "Account") == "displayIssuer")
        #expect(table.member(selector: "PushTypeChallenge", of: "PushType") == "challenge")
    }

    /// The fix-its that a package trait enables in Xcode have the same new names as the table.
    @Test func fixItsAreThoseOfTheTable() throws {
        var count = 0
        for source in try SourceFiles.contents(of: "Sources/FRAuthenticator/Models") {
            let pattern =
                #/
                \#if\ MigrationFixIts \s+
                @available\(\*,\ deprecated,\ renamed:\ "(\w+)"\) \s+
                \#endif \s+
                public\ var\ (\w+)
                /#
            for match in source.matches(of: pattern) {
                let before = source[..<match.range.lowerBound]
                let types = before.matches(of: #/\n(?:public |final )*class (\w+)/#)
                let owner = try #require(types.last?.1)
                let entry = try #require(table.entry(owners: [String(owner)], name: String(match.2)))
                #expect(entry.becomes == "`\(match.1)`", "\(owner).\(match.2)")
                #expect(entry.row.work == .rename)
                count += 1
            }
        }
        #expect(count == 11)
    }

    @Test func publicDeclarationsAreFoundInTheSources() throws {
        let symbols = try PublicSymbol.all(in: "Sources/FRAuthenticator")
        let some: [(String?, String)] = [
            (nil, "FRAClient"), (nil, "MechanismCallback"), ("FRAClient", "setStorage"),
            ("StorageClient", "isEmpty"), ("MechanismError", "alreadyExists"), ("PushNotification", "accept"),
            ("Account", "init"), ("FRAPolicyEvaluator", "nonCompliancePolicy"), ("PushType", "default"),
        ]
        for (owner, name) in some {
            #expect(symbols.contains(PublicSymbol(owner: owner, name: name)), "\(name)")
        }
        #expect(!symbols.contains(PublicSymbol(owner: nil, name: "Authenticator")))
    }
}

/// A declaration in the list of `Tests/LegacyInterface`.
private struct LegacyDeclaration: CustomStringConvertible {
    let owners: [String]
    let name: String
    let isType: Bool

    var description: String { (owners + [name]).joined(separator: ".") }

    static func all() throws -> [LegacyDeclaration] {
        let list = Guide.root.appendingPathComponent("Tests/LegacyInterface/frauthenticator-4.9.1.txt")
        var (owners, found) = ([String](), [LegacyDeclaration]())
        for line in try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
        where !line.hasPrefix("//") {
            if line.hasPrefix("#") {
                owners = line.dropFirst().trimmingCharacters(in: .whitespaces)
                    .split(separator: ".").map(String.init)
            } else if let match = line.firstMatch(of: #/\b(class|struct|enum|protocol) (\w+)(?::|$)/#) {
                found.append(
                    LegacyDeclaration(owners: owners.dropLast(), name: String(match.2), isType: true)
                )
            } else if let match = line.firstMatch(of: #/\b(?:typealias|func|var|let|case) `?(\w+)/#) {
                found.append(LegacyDeclaration(owners: owners, name: String(match.1), isType: false))
            } else if line.contains("init") {
                found.append(LegacyDeclaration(owners: owners, name: "init", isType: false))
            }
        }
        return found
    }

    func entry(in table: SymbolTable) -> SymbolEntry? {
        isType && owners.isEmpty ? table.entry(type: name) : table.entry(owners: owners, name: name)
    }
}
