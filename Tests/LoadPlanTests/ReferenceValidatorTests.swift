import Foundation
import TestSupport
import Testing

@testable import LoadPlan

/// Runs PyPI's `jsonschema`, where it is installed, as a second opinion on the schema.
///
/// The interpreter is the one named by `PUSHBENCH_PYTHON`, otherwise `python3`.
@Suite("The schema by a reference validator", .enabled(if: ReferenceValidator.isInstalled))
struct ReferenceValidatorTests {
    @Test("The schema is one, and takes the profiles as written and in canonical form")
    func profiles() throws {
        var documents: [String] = []
        for text in try ProfilesFolder.names.map(ProfilesFolder.text) + [ProfileDecodingTests.full, "{}"] {
            documents.append(JSONWriter.compact(try JSONReader.read(text)))
            documents.append(try Profile(json: text, file: "test").canonicalJSON)
        }
        let verdicts = try ReferenceValidator.verdicts(on: documents)
        #expect(verdicts == Array(repeating: true, count: documents.count))
    }

    @Test("The schema and the decoder refuse and accept the same")
    func agreement() throws {
        let bad =
            [
                "{flet: {}}", "{load: {phases: [{raet: '1/s'}]}}", "{lanes: {apns-sandbox: {batch: {}}}}",
                "{seed: 1.5}",
                "{seed: -1}", "{workers: 0}", "{workers: 'many'}", "{name: ''}", "{name: 7}", "{fleet: {apps: []}}",
                "{fleet: {apps: [{}]}}", "{load: {drain: 5}}", "{load: {phases: [{rate: 10000}]}}",
                "{load: {phases: []}}",
                "{load: {phases: [{}]}}", "{load: {phases: [{rate: '1/s', pause: true}]}}",
                "{mock: {policy: 'strict'}}",
                "{load: {phases: [{rate: '1/s', pushes: 5}]}}", "{load: {phases: [{inFlight: {}}]}}",
                "{load: {phases: [{ramp: {from: '0/s'}}]}}", "{lanes: {fcm: {streams: 0}}}",
                "{fleet: {longestToken: 65}}",
                "{lanes: {fcm: {host: 'localhost:1'}}}", "{mock: {serviceTime: {}}}", "{mock: {serviceTime: '20'}}",
                "{mock: {serviceTime: {constant: '1s', uniform: {from: '1s', to: '2s'}}}}", "{load: {drain: '1 s'}}",
                "{load: {phases: [{rate: '10/'}]}}", "{load: {phases: [{rate: '_1/s'}]}}", "{seed: '1__0'}",
            ] + ThresholdReadingTests.wrong.map { "{thresholds: \($0.text)}" }
        let good = [
            "{seed: '1_000k'}", "{load: {drain: '30m30s', phases: [{rate: '1.5k/250ms'}]}}",
            "{mock: {serviceTime: '1.5ms'}, lanes: {fcm: {streams: 'peer'}, apns-sandbox: {streams: 5}}}",
            "{messages: [{payload: '{}'}, {payload: {aps: {}}}]}",
            "{thresholds: {}}",
            "{thresholds: {'all.response': ['p(0)<1s', {condition: ' p(99.99)  ==  1h30m ', over: '60s'}]}}",
        ]
        let documents = try (bad + good).map { JSONWriter.compact(try JSONReader.read($0)) }
        let verdicts = try ReferenceValidator.verdicts(on: documents)
        for (document, verdict) in zip(documents, verdicts) {
            let decodes = (try? Profile(json: document, file: "test")) != nil
            #expect(decodes == verdict, "\(document)")
        }
        #expect(verdicts.count { $0 } == good.count)
    }
}

enum ReferenceValidator {
    private static let script = """
        import json, sys
        from jsonschema import Draft202012Validator
        schema, documents = json.load(sys.stdin)
        Draft202012Validator.check_schema(schema)
        validator = Draft202012Validator(schema)
        json.dump([validator.is_valid(json.loads(document)) for document in documents], sys.stdout)
        """

    static let isInstalled = (try? Python.run("from jsonschema import Draft202012Validator")) != nil

    /// Whether the schema takes each document.
    static func verdicts(on documents: [String]) throws -> [Bool] {
        let schema = JSONWriter.compact(try JSONReader.read(ProfilesFolder.text(ProfilesFolder.schema)))
        let input = "[\(schema), \(JSONWriter.compact(.array(documents.map { .string($0) })))]"
        return try JSONDecoder().decode([Bool].self, from: Python.run(script, input: Data(input.utf8)))
    }
}
