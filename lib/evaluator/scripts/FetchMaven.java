// Fetches what a Maven project asks for, with Maven's own libraries: models are read, and no plugin or extension runs.
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.maven.RepositoryUtils;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.Extension;
import org.apache.maven.model.Model;
import org.apache.maven.model.Parent;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.model.Profile;
import org.apache.maven.model.Repository;
import org.apache.maven.model.building.DefaultModelBuildingRequest;
import org.apache.maven.model.building.FileModelSource;
import org.apache.maven.model.building.ModelBuilder;
import org.apache.maven.model.building.ModelBuildingException;
import org.apache.maven.model.building.ModelBuildingRequest;
import org.apache.maven.model.building.ModelProblem;
import org.apache.maven.model.building.ModelSource;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.apache.maven.model.resolution.ModelResolver;
import org.apache.maven.model.resolution.UnresolvableModelException;
import org.apache.maven.plugin.internal.PluginDependenciesResolver;
import org.apache.maven.plugin.version.DefaultPluginVersionRequest;
import org.apache.maven.plugin.version.PluginVersionResolver;
import org.apache.maven.repository.internal.MavenRepositorySystemUtils;
import org.codehaus.plexus.DefaultContainerConfiguration;
import org.codehaus.plexus.DefaultPlexusContainer;
import org.codehaus.plexus.PlexusConstants;
import org.codehaus.plexus.util.xml.Xpp3Dom;
import org.codehaus.plexus.util.xml.Xpp3DomBuilder;
import org.eclipse.aether.AbstractRepositoryListener;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositoryEvent;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.util.artifact.JavaScopes;

/** Arguments: the folder of downloads, the repository to make, options, and the poms. MAVEN_REPOSITORY is the only host asked. */
public class FetchMaven {
  static final Set<String> EARLY = Set.of("validate", "initialize", "generate-sources", "process-sources",
      "generate-resources", "process-resources", "compile", "process-classes", "generate-test-sources",
      "process-test-sources", "generate-test-resources", "process-test-resources", "test-compile",
      "process-test-classes", "test");

  final RepositorySystem system;
  final ModelBuilder builder;
  final PluginDependenciesResolver plugins;
  final PluginVersionResolver versions;
  final DefaultRepositorySystemSession session = MavenRepositorySystemUtils.newSession();
  final RemoteRepository remote;
  final List<RemoteRepository> remotes;
  /** Modules of the project, by group, artifact and version: the files that describe them. */
  final Map<String, File> modules = new HashMap<>();
  final Set<Path> used = ConcurrentHashMap.newKeySet();
  final Set<String> done = new LinkedHashSet<>();
  final Set<String> missing = new LinkedHashSet<>();
  final Properties properties = new Properties();
  /** As the command line of Maven would give them. */
  final Properties user = new Properties();
  /** Of Maven itself, as `group:artifact:version`. */
  final List<String> extensions = new ArrayList<>();
  final List<String> profiles = new ArrayList<>();

  public static void main(String[] args) throws Exception {
    Path downloads = Path.of(args[0]);
    FetchMaven fetch = new FetchMaven(downloads, System.getenv().getOrDefault("MAVEN_REPOSITORY", "https://repo.maven.apache.org/maven2"));
    List<File> poms = new ArrayList<>();
    for (int at = 2; at < args.length; at += 1) {
      String[] pair = args[at].substring(2).split("=", 2);
      if (args[at].startsWith("-D")) fetch.user.setProperty(pair[0], pair.length > 1 ? pair[1] : "true");
      else if (args[at].startsWith("-P")) fetch.profiles.addAll(List.of(args[at].substring(2).split(",")));
      else if (args[at].startsWith("-E")) fetch.extensions.add(args[at].substring(2));
      else poms.add(new File(args[at]).getAbsoluteFile());
    }
    fetch.fetchAll(poms);
    fetch.lay(downloads, Path.of(args[1]));
    for (String line : fetch.missing) System.out.println("missing\t" + line.replaceAll("\\s+", " "));
    System.out.println("end");
    System.out.flush();
    System.exit(0);
  }

  FetchMaven(Path downloads, String address) throws Exception {
    DefaultPlexusContainer container = new DefaultPlexusContainer(new DefaultContainerConfiguration()
        .setClassPathScanning(PlexusConstants.SCANNING_INDEX).setAutoWiring(true).setName("maven"));
    system = container.lookup(RepositorySystem.class);
    builder = container.lookup(ModelBuilder.class);
    plugins = container.lookup(PluginDependenciesResolver.class);
    versions = container.lookup(PluginVersionResolver.class);
    RepositoryPolicy policy = new RepositoryPolicy(true, RepositoryPolicy.UPDATE_POLICY_DAILY,
        RepositoryPolicy.CHECKSUM_POLICY_FAIL);
    remote = repository(address, policy);
    remotes = List.of(remote);
    session.setLocalRepositoryManager(
        system.newLocalRepositoryManager(session, new LocalRepository(downloads.toFile())));
    // Whatever a pom says, there is one host.
    session.setIgnoreArtifactDescriptorRepositories(true);
    session.setWorkspaceReader(new Modules());
    session.setRepositoryListener(new AbstractRepositoryListener() {
      @Override
      public void artifactResolved(RepositoryEvent event) {
        use(event.getFile());
      }

      @Override
      public void metadataResolved(RepositoryEvent event) {
        use(event.getFile());
      }
    });
    for (String name : System.getProperties().stringPropertyNames())
      if (name.startsWith("java.") || name.startsWith("os.")) properties.setProperty(name, System.getProperty(name));
    properties.setProperty("env.CI", "1");
    session.setSystemProperties(properties);
  }

  static RemoteRepository repository(String address, RepositoryPolicy policy) {
    return new RemoteRepository.Builder("central", "default", address).setPolicy(policy).build();
  }

  void use(File file) {
    if (file != null) used.add(file.toPath().toAbsolutePath());
  }

  void fetchAll(List<File> roots) {
    Set<File> poms = new LinkedHashSet<>();
    for (File root : roots) register(root, poms, new Properties());
    List<Model> models = new ArrayList<>();
    for (File pom : poms) {
      try {
        models.add(build(pom));
      } catch (ModelBuildingException problem) {
        for (ModelProblem each : problem.getProblems())
          if (each.getSeverity() != ModelProblem.Severity.WARNING) miss("pom.xml", each.getMessage());
      }
    }
    for (String each : extensions) attempt(each, () -> fetchPlugin(pluginOf(extensionOf(each)), new Model()));
    for (Model model : models) {
      attempt(model.getId(), () -> fetchDependencies(model));
      if (model.getBuild() == null) continue;
      for (Extension each : model.getBuild().getExtensions())
        attempt(each.getArtifactId(), () -> fetchPlugin(pluginOf(each), model));
      for (Plugin each : model.getBuild().getPlugins()) attempt(each.getKey(), () -> considerPlugin(each, model));
    }
  }

  /** Modules may ask for one another in any order. */
  void register(File pom, Set<File> poms, Properties outer) {
    if (!pom.isFile() || !poms.add(pom)) return;
    Model model;
    try (InputStream text = new FileInputStream(pom)) {
      model = new MavenXpp3Reader().read(text, false);
    } catch (Exception problem) {
      return; // Said where the model is built.
    }
    Properties inner = new Properties();
    inner.putAll(outer);
    inner.putAll(model.getProperties());
    inner.putAll(user);
    Parent parent = model.getParent();
    String group = model.getGroupId() == null && parent != null ? parent.getGroupId() : model.getGroupId();
    String version = model.getVersion() == null && parent != null ? parent.getVersion() : model.getVersion();
    modules.put(group + ":" + model.getArtifactId() + ":" + filled(version, inner), pom);
    Set<String> names = new LinkedHashSet<>(model.getModules());
    for (Profile each : model.getProfiles()) names.addAll(each.getModules());
    for (String name : names) {
      File module = new File(pom.getParentFile(), name);
      register((module.isDirectory() ? new File(module, "pom.xml") : module).toPath().normalize().toFile(), poms, inner);
    }
  }

  static String filled(String text, Properties values) {
    String whole = String.valueOf(text);
    for (String name : values.stringPropertyNames()) whole = whole.replace("${" + name + "}", values.getProperty(name));
    return whole;
  }

  interface Step {
    void take() throws Exception;
  }

  void attempt(String name, Step step) {
    try {
      step.take();
    } catch (DependencyResolutionException problem) {
      if (problem.getResult() == null || problem.getResult().getArtifactResults().isEmpty()) miss(name, reasonOf(problem));
      else for (ArtifactResult each : problem.getResult().getArtifactResults()) missUnresolved(each);
    } catch (ArtifactResolutionException problem) {
      for (ArtifactResult each : problem.getResults()) missUnresolved(each);
    } catch (Exception problem) {
      miss(name, reasonOf(problem));
    }
  }

  void missUnresolved(ArtifactResult result) {
    if (result.isResolved()) return;
    String why = result.getExceptions().isEmpty() ? "not found" : reasonOf(result.getExceptions().get(0));
    miss(result.getRequest().getArtifact().toString(), why);
  }

  void miss(String name, String why) {
    missing.add(name + ": " + why);
  }

  static String reasonOf(Throwable problem) {
    Throwable cause = problem;
    while (cause.getCause() != null && cause.getCause() != cause) cause = cause.getCause();
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  Model build(File pom) throws ModelBuildingException {
    DefaultModelBuildingRequest request = new DefaultModelBuildingRequest();
    request.setPomFile(pom);
    request.setProcessPlugins(true);
    request.setValidationLevel(ModelBuildingRequest.VALIDATION_LEVEL_MINIMAL);
    request.setSystemProperties(properties);
    request.setUserProperties(user);
    request.setActiveProfileIds(profiles);
    request.setModelResolver(new Models());
    return builder.build(request).getEffectiveModel();
  }

  /** Parents and lists of versions, from the one host. */
  class Models implements ModelResolver {
    @Override
    public ModelSource resolveModel(String group, String artifact, String version) throws UnresolvableModelException {
      File own = modules.get(group + ":" + artifact + ":" + version);
      if (own != null) return new FileModelSource(own);
      try {
        ArtifactRequest request = new ArtifactRequest(new DefaultArtifact(group, artifact, "pom", version), remotes, null);
        return new FileModelSource(system.resolveArtifact(session, request).getArtifact().getFile());
      } catch (ArtifactResolutionException problem) {
        throw new UnresolvableModelException(reasonOf(problem), group, artifact, version, problem);
      }
    }

    @Override
    public ModelSource resolveModel(Parent parent) throws UnresolvableModelException {
      return resolveModel(parent.getGroupId(), parent.getArtifactId(), parent.getVersion());
    }

    @Override
    public ModelSource resolveModel(Dependency dependency) throws UnresolvableModelException {
      return resolveModel(dependency.getGroupId(), dependency.getArtifactId(), dependency.getVersion());
    }

    @Override
    public void addRepository(Repository repository) {}

    @Override
    public void addRepository(Repository repository, boolean replace) {}

    @Override
    public ModelResolver newCopy() {
      return this;
    }
  }

  /** A module of the project is there, built or not. */
  class Modules implements WorkspaceReader {
    @Override
    public WorkspaceRepository getRepository() {
      return new WorkspaceRepository("project");
    }

    @Override
    public File findArtifact(Artifact artifact) {
      return modules.get(artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getBaseVersion());
    }

    @Override
    public List<String> findVersions(Artifact artifact) {
      String start = artifact.getGroupId() + ":" + artifact.getArtifactId() + ":";
      List<String> found = new ArrayList<>();
      for (String key : modules.keySet()) if (key.startsWith(start)) found.add(key.substring(start.length()));
      return found;
    }
  }

  void fetchDependencies(Model model) throws Exception {
    CollectRequest collect = new CollectRequest();
    collect.setRequestContext("project");
    collect.setRepositories(remotes);
    for (Dependency each : model.getDependencies())
      if (!"system".equals(each.getScope()))
        collect.addDependency(RepositoryUtils.toDependency(each, session.getArtifactTypeRegistry()));
    DependencyManagement managed = model.getDependencyManagement();
    if (managed != null)
      for (Dependency each : managed.getDependencies())
        collect.addManagedDependency(RepositoryUtils.toDependency(each, session.getArtifactTypeRegistry()));
    List<Artifact> found = new ArrayList<>();
    try {
      for (ArtifactResult each : system.resolveDependencies(session, new DependencyRequest(collect, null)).getArtifactResults())
        found.add(each.getArtifact());
    } catch (DependencyResolutionException problem) {
      if (problem.getResult() != null)
        for (ArtifactResult each : problem.getResult().getArtifactResults())
          if (each.isResolved()) found.add(each.getArtifact());
      throw problem;
    } finally {
      fetchProviders(model, found);
    }
  }

  /** Surefire chooses what runs the tests by what they need, while it runs. */
  void fetchProviders(Model model, List<Artifact> found) {
    Plugin surefire = model.getBuild() == null ? null : model.getBuild().getPluginsAsMap().get("org.apache.maven.plugins:maven-surefire-plugin");
    if (surefire == null || surefire.getVersion() == null) return;
    Map<String, String> versionOf = new HashMap<>();
    for (Artifact each : found) versionOf.put(each.getGroupId() + ":" + each.getArtifactId(), each.getVersion());
    String version = surefire.getVersion();
    String api = versionOf.get("org.junit.jupiter:junit-jupiter-api");
    String platform = versionOf.get("org.junit.platform:junit-platform-engine");
    String commons = versionOf.getOrDefault("org.junit.platform:junit-platform-commons", platform);
    if (commons != null) {
      fetchProvider("surefire-junit-platform", version);
      fetchTest("org.junit.platform:junit-platform-launcher:" + commons);
      if (api != null) fetchTest("org.junit.jupiter:junit-jupiter-engine:" + api);
      if (api != null && versionOf.containsKey("junit:junit")) fetchTest("org.junit.vintage:junit-vintage-engine:" + api);
    }
    if (versionOf.containsKey("org.testng:testng")) fetchProvider("surefire-testng", version);
    if (versionOf.containsKey("junit:junit") || versionOf.containsKey("junit:junit-dep")) {
      fetchProvider("surefire-junit4", version);
      fetchProvider("surefire-junit47", version);
    }
    fetchProvider("surefire-junit3", version);
  }

  void fetchProvider(String name, String version) {
    fetchTest("org.apache.maven.surefire:" + name + ":" + version);
  }

  /** Which of them is wanted is the runner's choice: one that does not exist is no loss. */
  void fetchTest(String coordinates) {
    Set<String> before = new LinkedHashSet<>(missing);
    attempt(coordinates, () -> fetchTree(new DefaultArtifact(coordinates)));
    missing.removeIf(line -> !before.contains(line) && line.contains("Could not find artifact"));
  }

  void fetchTree(Artifact artifact) throws Exception {
    if (!done.add(artifact.toString())) return;
    CollectRequest collect = new CollectRequest();
    collect.setRoot(new org.eclipse.aether.graph.Dependency(artifact, JavaScopes.RUNTIME));
    collect.setRepositories(remotes);
    system.resolveDependencies(session, new DependencyRequest(collect, null));
  }

  static Extension extensionOf(String coordinates) {
    String[] parts = coordinates.split(":");
    Extension extension = new Extension();
    extension.setGroupId(parts[0]);
    extension.setArtifactId(parts[1]);
    extension.setVersion(parts[2]);
    return extension;
  }

  static Plugin pluginOf(Extension extension) {
    Plugin plugin = new Plugin();
    plugin.setGroupId(extension.getGroupId());
    plugin.setArtifactId(extension.getArtifactId());
    plugin.setVersion(extension.getVersion());
    return plugin;
  }

  /** What comes after the tests is not needed. */
  void considerPlugin(Plugin plugin, Model model) throws Exception {
    if (plugin.getVersion() == null && (plugin.isExtensions() || !plugin.getExecutions().isEmpty())) {
      DefaultPluginVersionRequest request = new DefaultPluginVersionRequest(plugin, session, remotes);
      plugin.setVersion(versions.resolve(request).getVersion());
    }
    boolean isNeeded = plugin.isExtensions();
    Map<String, String> phases = null;
    for (PluginExecution each : plugin.getExecutions()) {
      if (each.getPhase() != null) isNeeded |= EARLY.contains(each.getPhase());
      else {
        if (phases == null) phases = phasesOf(plugin);
        for (String goal : each.getGoals()) isNeeded |= EARLY.contains(phases.getOrDefault(goal, "validate"));
      }
    }
    if (isNeeded) fetchPlugin(plugin, model);
  }

  /** In which phase each goal runs by itself, as the archive of the plugin says. */
  Map<String, String> phasesOf(Plugin plugin) throws Exception {
    Map<String, String> found = new HashMap<>();
    Artifact artifact = plugins.resolve(plugin, remotes, session);
    try (ZipFile zip = new ZipFile(artifact.getFile())) {
      ZipEntry entry = zip.getEntry("META-INF/maven/plugin.xml");
      if (entry == null) return found;
      String text = new String(zip.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
      Xpp3Dom mojos = Xpp3DomBuilder.build(new StringReader(text)).getChild("mojos");
      for (Xpp3Dom mojo : mojos.getChildren("mojo")) {
        Xpp3Dom phase = mojo.getChild("phase");
        found.put(mojo.getChild("goal").getValue(), phase == null ? "" : phase.getValue());
      }
    }
    return found;
  }

  void fetchPlugin(Plugin plugin, Model model) throws Exception {
    List<Object> configurations = new ArrayList<>();
    configurations.add(plugin.getConfiguration());
    for (PluginExecution each : plugin.getExecutions()) configurations.add(each.getConfiguration());
    for (Object each : configurations) if (each instanceof Xpp3Dom) fetchConfigured((Xpp3Dom) each, model);
    StringBuilder key = new StringBuilder(plugin.getId());
    for (Dependency each : plugin.getDependencies()) key.append(' ').append(each.getManagementKey()).append(each.getVersion());
    if (!done.add(key.toString())) return;
    Artifact artifact = plugins.resolve(plugin, remotes, session);
    plugins.resolve(plugin, artifact, null, remotes, session);
  }

  /** Annotation processors, signatures and the like are named where a plugin is configured. */
  void fetchConfigured(Xpp3Dom dom, Model model) {
    String group = textOf(dom, "groupId");
    String name = textOf(dom, "artifactId");
    if (group != null && name != null) {
      String version = textOf(dom, "version") == null ? managedVersion(model, group, name) : textOf(dom, "version");
      String type = textOf(dom, "type") == null ? "jar" : textOf(dom, "type");
      String classifier = textOf(dom, "classifier") == null ? "" : textOf(dom, "classifier");
      if (version != null)
        attempt(group + ":" + name, () -> fetchTree(new DefaultArtifact(group, name, classifier, type, version)));
    }
    String value = dom.getValue() == null ? "" : dom.getValue().trim();
    // Bundles of resources are named in one line: group, artifact, version.
    if (value.matches("[\\w-]+(?:\\.[\\w-]+)*:[\\w.-]+:\\d[\\w.-]*")) attempt(value, () -> fetchTree(new DefaultArtifact(value)));
    for (Xpp3Dom child : dom.getChildren()) fetchConfigured(child, model);
  }

  static String textOf(Xpp3Dom dom, String name) {
    Xpp3Dom child = dom.getChild(name);
    return child == null || child.getValue() == null || child.getValue().isBlank() ? null : child.getValue().trim();
  }

  static String managedVersion(Model model, String group, String name) {
    List<Dependency> all = new ArrayList<>(model.getDependencies());
    if (model.getDependencyManagement() != null) all.addAll(model.getDependencyManagement().getDependencies());
    for (Dependency each : all)
      if (each.getGroupId().equals(group) && each.getArtifactId().equals(name)) return each.getVersion();
    return null;
  }

  /** Without the notes on where a file came from: what is there is there. */
  void lay(Path downloads, Path repository) throws IOException {
    for (Path file : used) {
      if (!file.startsWith(downloads) || !Files.isRegularFile(file)) continue;
      Path to = repository.resolve(downloads.relativize(file).toString());
      Files.createDirectories(to.getParent());
      if (!Files.exists(to)) Files.copy(file, to);
    }
  }
}
