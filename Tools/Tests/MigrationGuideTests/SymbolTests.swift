import Testing

/// The guide's tables name every public symbol of the legacy API.
@Suite struct SymbolTests {
    @Test(arguments: ["Sources/FRAuthenticator", "Sources/FRCore"])
    func everySymbolIsInATable(_ folder: String) throws {
        let symbols = try PublicSymbol.all(in: folder)
        let subjects = try Guide().subjects
        #expect(symbols.count > 60)
        for symbol in symbols {
            let words = Set([symbol.owner, symbol.name].compactMap(\.self))
            #expect(!subjects.filter(words.isSubset).isEmpty, "\(symbol)")
        }
    }

    @Test func declarationsAreFound() throws {
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
