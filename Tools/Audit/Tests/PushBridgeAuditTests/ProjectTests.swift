import Foundation
import PushBridgeAudit
import PushBridgeTestSupport
import Testing

/// Manifests and imports, found in the text of files.
@Suite struct ProjectTests {
    private let compiler: Compiler

    init() throws {
        compiler = try Compiler()
        try compiler.app([compiler.folder.file("App.swift", "func launch() {}\n")])
    }

    private func mentions(_ files: [String: String]) throws -> [Audit.Mention] {
        for (name, text) in files {
            let file = compiler.folder.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        return try compiler.audit().mentions
    }

    @Test func manifestsWithThePackagesAreListed() throws {
        let found = try mentions([
            "Package.swift": """
            // FRAuthenticator in a comment
            .package(url: "https://github.com/ForgeRock/forgerock-ios-sdk", from: "4.9.1"),
            .product(name: "FRAuthenticator", package: "forgerock-ios-sdk"),
            .product(name: "MyFRAuthenticatorKit", package: "other"),
            """,
            "ios/Podfile": "target 'App' do\n  # pod 'FRCore'\n  pod 'FRAuthenticator', '~> 4.9'\nend\n",
            "App.xcodeproj/project.pbxproj": "\t\t\tproductName = FRAuthenticator;\n",
            "Package@swift-6.0.swift": "// FRCore\n.product(name: \"FRCore\", package: \"sdk\"),\n",
            "ios/project.yml": "packages:\n  # FRCore\n  - product: FRAuthenticator\n",
            "Pods/Podfile": "pod 'FRAuthenticator'\n",
            ".build/checkouts/other/Package.swift": "\"FRAuthenticator\"\n",
        ])
        #expect(
            found.map { "\($0.kind.rawValue) \($0.file):\($0.line) \($0.text)" } == [
                "manifest App.xcodeproj/project.pbxproj:1 productName = FRAuthenticator;",
                #"manifest Package.swift:2 .package(url: "https://github.com/ForgeRock/forgerock-ios-sdk", from: "4.9.1"),"#,
                #"manifest Package.swift:3 .product(name: "FRAuthenticator", package: "forgerock-ios-sdk"),"#,
                #"manifest Package@swift-6.0.swift:2 .product(name: "FRCore", package: "sdk"),"#,
                "manifest ios/Podfile:3 pod 'FRAuthenticator', '~> 4.9'",
                "manifest ios/project.yml:3 - product: FRAuthenticator",
            ]
        )
    }

    @Test func importsOfTheSDKAreListed() throws {
        let found = try mentions([
            "A.swift": """
            @testable import FRAuthenticator
            import class FRCore.Log
            import FRAuthenticatorUI
            // import FRAuthenticator
            let text = "import FRAuthenticator"
            """,
            "Prefix.pch": "#import <FRAuthenticator/FRAuthenticator-Swift.h>\n",
            "B.m": "#import <FRAuthenticator/FRAuthenticator-Swift.h>\n@import FRCore;\n",
        ])
        #expect(
            found.map { "\($0.kind.rawValue) \($0.file):\($0.line)" } == [
                "import A.swift:1", "import A.swift:2", "import B.m:1", "import B.m:2",
                "import Prefix.pch:1",
            ]
        )
    }
}
